package dev.deadline.engine;

/** The seam for time. Readings are nanoseconds and mean something only in comparison with each other. */
@FunctionalInterface
public interface MonotonicClock {

    MonotonicClock SYSTEM = System::nanoTime;

    long nanoTime();
}
