package dev.deadline.gateway;

/** Buckets somewhere else. Thread-safe. */
interface RemoteBuckets extends AutoCloseable {

    /**
     * As {@link LimitStore#take}.
     *
     * @param timeoutNanos how long it may take
     * @throws InterruptedException if the thread was interrupted
     * @throws Exception if there was no answer in time, or none at all
     */
    long take(LimitRule rule, ClientKey client, long timeoutNanos) throws Exception;

    @Override
    void close();
}
