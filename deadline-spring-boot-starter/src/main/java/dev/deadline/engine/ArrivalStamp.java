package dev.deadline.engine;

/**
 * When the container received what the calling thread works on: set by whoever takes work out of the container's queue,
 * taken by the filter that starts the budget. Kept for each thread by itself.
 *
 * <p>A stamp counts once: a thread that finds the next request of a connection without going through the queue has none
 * for it, and must not have the one before.
 */
public final class ArrivalStamp {

    private static final ThreadLocal<ArrivalStamp> CURRENT = ThreadLocal.withInitial(ArrivalStamp::new);

    private boolean known;

    private long nanos;

    private ArrivalStamp() {}

    /**
     * Notes when the work arrived that the calling thread begins now.
     *
     * @param nanos by {@link MonotonicClock#SYSTEM}
     */
    public static void put(long nanos) {
        ArrivalStamp stamp = CURRENT.get();
        stamp.known = true;
        stamp.nanos = nanos;
    }

    /** The calling thread has left the work. */
    public static void clear() {
        CURRENT.get().known = false;
    }

    /** Whether the arrival is known and not taken yet. */
    public static boolean isKnown() {
        return CURRENT.get().known;
    }

    /**
     * When the work of the calling thread arrived. It is not known any more after that.
     *
     * @throws IllegalStateException if it is not known
     */
    public static long take() {
        ArrivalStamp stamp = CURRENT.get();
        if (!stamp.known) {
            throw new IllegalStateException("When this work arrived is not known");
        }
        stamp.known = false;
        return stamp.nanos;
    }
}
