package dev.deadline.gateway;

/** Keeps what clients have used up. Thread-safe; never fails a request. */
public interface LimitStore {

    /**
     * Takes one request from what a client has left by a rule.
     *
     * @return 0 if there was something left, or that cannot be told; else after how many nanoseconds there will be
     *     something again, in which case nothing was taken
     */
    long take(LimitRule rule, ClientKey client);
}
