package dev.deadline.gateway;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.deadline.DeadlineListener;
import dev.deadline.engine.MonotonicClock;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Notices tokens that come from many places. For each token it is counted for ten minutes, from the first time it is seen,
 * from about how many networks it comes: each network sets one of 64 bits, and how many are still clear tells how many
 * networks there were. Thread-safe.
 */
final class SharedTokens {

    private static final int MAX_TOKENS = 50_000;

    private static final Duration WINDOW = Duration.ofMinutes(10);

    private final Cache<ClientKey, Places> tokens;

    private final int threshold;

    private final DeadlineListener listener;

    /**
     * @param threshold from how many networks a token is told of
     */
    SharedTokens(int threshold, DeadlineListener listener, MonotonicClock clock) {
        this.threshold = threshold;
        this.listener = listener;
        this.tokens = Caffeine.newBuilder()
                .maximumSize(MAX_TOKENS)
                .expireAfterWrite(WINDOW)
                .ticker(clock::nanoTime)
                .executor(Runnable::run)
                .build();
    }

    /** A token that authentication has accepted came from this address. */
    void seen(ClientKey token, ClientKey address) {
        Places places = this.tokens.get(token, key -> new Places());
        int estimate = places.with(address);
        if (estimate >= this.threshold && places.isFirstTime()) {
            this.listener.tokenShared(HexFormat.of().toHexDigits((int) (token.high() >>> 32)), estimate);
        }
    }

    /** Where one token came from. */
    static final class Places {

        // Set by atomic steps: of two networks seen at the same time, neither takes the other's bit away.
        private final AtomicLong bits = new AtomicLong();

        // Of two threads that both see the number reached, one tells.
        private final AtomicBoolean told = new AtomicBoolean();

        /** Takes an address in; about how many there are now. */
        int with(ClientKey address) {
            long bit = 1L << (address.clientHash() >>> 58);
            long seen = this.bits.get();
            if ((seen & bit) == 0) {
                seen = this.bits.accumulateAndGet(bit, (known, more) -> known | more);
            }
            return estimate(Long.SIZE - Long.bitCount(seen));
        }

        // Linear counting. With no bit left there is no telling; half a bit gives the next larger number.
        private static int estimate(int clear) {
            return (int) Math.round(-Long.SIZE * Math.log(Math.max(0.5, clear) / Long.SIZE));
        }

        /** Whether nobody has asked this before. */
        boolean isFirstTime() {
            return !this.told.get() && this.told.compareAndSet(false, true);
        }
    }
}
