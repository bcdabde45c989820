package dev.deadline.gateway;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import dev.deadline.engine.MonotonicClock;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The addresses that go on after they have been refused many times. Thread-safe. */
final class Bans {

    private static final long MINUTE = 60_000_000_000L;

    private final BanTerms terms;

    private final MonotonicClock clock;

    private final Cache<ClientKey, Standing> standings;

    Bans(BanTerms terms, int maxKeys, MonotonicClock clock) {
        this.terms = terms;
        this.clock = clock;
        this.standings = Caffeine.newBuilder()
                .maximumSize(maxKeys)
                .expireAfter(
                        Expiry.<ClientKey, Standing>writing((client, standing) -> Duration.ofNanos(keep(standing))))
                .ticker(clock::nanoTime)
                .executor(Runnable::run)
                .build();
    }

    private long keep(Standing standing) {
        return Math.max(0, standing.until() - standing.last()) + Math.max(MINUTE, this.terms.maxNanos());
    }

    /** For how many more nanoseconds an address is banned; 0 if it is not. */
    long left(ClientKey address) {
        Standing standing = this.standings.getIfPresent(address);
        return (standing != null) ? Math.max(0, standing.until() - this.clock.nanoTime()) : 0;
    }

    /** An address was refused by its rule. */
    void refused(ClientKey address) {
        // Within the lock of the entry: of requests that are refused at the same time each counts, and only one of them
        // begins the ban.
        this.standings.asMap().compute(address, (client, standing) -> next(standing, this.clock.nanoTime()));
    }

    private Standing next(@Nullable Standing standing, long now) {
        if (standing == null) {
            return counted(now, 1, now, 0);
        }
        if (now - standing.until() < 0) {
            return standing;
        }
        long quiet = now - ((standing.until() - standing.last() > 0) ? standing.until() : standing.last());
        long length = (quiet >= this.terms.maxNanos()) ? 0 : standing.length();
        boolean goesOn = standing.refusals() > 0 && now - standing.since() < MINUTE;
        return goesOn ? counted(standing.since(), standing.refusals() + 1, now, length) : counted(now, 1, now, length);
    }

    private Standing counted(long since, int refusals, long now, long length) {
        if (refusals < this.terms.after()) {
            return new Standing(since, refusals, now, now, length);
        }
        long next = (length == 0) ? this.terms.firstNanos() : length + Math.min(length, this.terms.maxNanos() - length);
        return new Standing(now, 0, now, now + next, next);
    }

    /**
     * @param since when the counting began
     * @param refusals how many there were since then
     * @param last when the last one was
     * @param until when the ban ends; not after {@code last} if there is none
     * @param length of the last ban; 0 if there was none, or it is forgotten
     */
    private record Standing(long since, int refusals, long last, long until, long length) {}
}
