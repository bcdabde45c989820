package dev.deadline.benchmarks.load;

/**
 * One experiment.
 *
 * @param variant what stands in front of the handler
 * @param threads what requests run on
 * @param traffic what is asked for
 * @param shape how much is asked for
 * @param seed of the arrivals
 */
record Cell(Variant variant, Threads threads, Traffic traffic, LoadShape shape, long seed) {

    /** What requests run on. */
    enum Threads {

        /** Sixteen of Tomcat's workers. */
        PLATFORM,

        /** As many virtual threads as there are requests, of which sixteen at a time get past a fair semaphore. */
        VIRTUAL
    }
}
