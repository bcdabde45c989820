package dev.deadline.report;

import dev.deadline.OnTimeout;
import dev.deadline.Reason;
import dev.deadline.Refusal;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.event.Level;

/**
 * What is said about one step or request, in the order in which it is said. Lengths are nanoseconds, the largest long
 * standing for none, and are written in whole milliseconds, rounded down. The cause is not mentioned where there is none.
 */
record EventFields(
        String event,
        String step,
        Reason reason,
        @Nullable Refusal cause,
        long waitedNanos,
        long budgetLeftNanos,
        OnTimeout policy,
        long timeoutNanos,
        boolean clamped,
        boolean enforced) {

    /** Logs them. */
    void log(Logger logger, Level level) {
        if (logger.isEnabledForLevel(level)) {
            EventLine.log(logger, level, named());
        }
    }

    private Map<String, @Nullable Object> named() {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("event", this.event);
        fields.put("step", this.step);
        fields.put("reason", this.reason.code());
        if (this.cause != null) {
            fields.put("cause", this.cause.code());
        }
        fields.put("waitedMs", millis(this.waitedNanos));
        fields.put("budgetLeftMs", millis(this.budgetLeftNanos));
        fields.put("policy", this.policy.name().toLowerCase(Locale.ROOT));
        fields.put("timeoutMs", millis(this.timeoutNanos));
        fields.put("clamped", this.clamped);
        fields.put("enforced", this.enforced);
        return fields;
    }

    private static @Nullable Long millis(long nanos) {
        return (nanos == Long.MAX_VALUE) ? null : TimeUnit.NANOSECONDS.toMillis(nanos);
    }
}
