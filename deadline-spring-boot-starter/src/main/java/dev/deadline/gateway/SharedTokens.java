package dev.deadline.gateway;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.deadline.DeadlineListener;
import dev.deadline.engine.MonotonicClock;
import java.time.Duration;
import java.util.HexFormat;
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
        int estimate = places.takenTo(this.threshold, address);
        if (estimate > 0) {
            this.listener.tokenShared(HexFormat.of().toHexDigits((int) (token.high() >>> 32)), estimate);
        }
    }

    /** Where one token came from. */
    static final class Places {

        // Set in one step: of two networks seen at the same time neither takes the other's bit away, and it is one of
        // them that takes the estimate over the threshold.
        private final AtomicLong bits = new AtomicLong();

        /** About how many there are, if it is this address that makes them as many as the threshold; 0 if not. */
        int takenTo(int threshold, ClientKey address) {
            long bit = 1L << (address.clientHash() >>> 58);
            if ((this.bits.get() & bit) != 0) {
                return 0;
            }
            long before = this.bits.getAndAccumulate(bit, (seen, more) -> seen | more);
            int now = estimate(before | bit);
            return (estimate(before) < threshold && now >= threshold) ? now : 0;
        }

        int estimate() {
            return estimate(this.bits.get());
        }

        // Linear counting. With no bit left there is no telling; half a bit gives the next larger number.
        private static int estimate(long bits) {
            double clear = Math.max(0.5, Long.SIZE - Long.bitCount(bits));
            return (int) Math.round(-Long.SIZE * Math.log(clear / Long.SIZE));
        }
    }
}
