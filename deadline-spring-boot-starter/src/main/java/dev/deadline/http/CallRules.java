package dev.deadline.http;

import dev.deadline.DeadlineListener;
import dev.deadline.engine.Scope;
import dev.deadline.engine.StepDefinition;
import dev.deadline.propagation.DeadlineCodec;
import dev.deadline.propagation.RemainingMillisCodec;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What holds for the calls of every HTTP client.
 *
 * @param outbound how and to whom the time left is sent
 * @param expired which answers say that the upstream's time was over
 * @param listener hears of calls that have no deadline
 */
public record CallRules(OutboundDeadline outbound, ExpiredUpstream expired, DeadlineListener listener) {

    /** Rules for clients that are bounded by hand: the time left is sent to every host, and nothing is counted. */
    static CallRules defaults() {
        RemainingMillisCodec codec = new RemainingMillisCodec(RemainingMillisCodec.HEADER);
        return new CallRules(
                OutboundDeadline.sent(codec, List.of()),
                new ExpiredUpstream(ExpiredUpstream.DEFAULT_HEADER),
                new DeadlineListener() {});
    }

    /** Whether a call may not begin: less than 1 ms would become 0, which means "no limit" to some clients. */
    static boolean isTooLate(Scope scope) {
        return scope.isExpired()
                || scope.isEnforced()
                        && scope.isBounded()
                        && scope.remaining().toNanos() < StepDefinition.DEFAULT_MINIMUM_NANOS;
    }

    /** What writes the header of a call; null if it gets none. */
    @Nullable
    DeadlineCodec codecFor(Scope scope, URI uri) {
        return (scope.isEnforced() && scope.isBounded()) ? this.outbound.codecFor(uri) : null;
    }
}
