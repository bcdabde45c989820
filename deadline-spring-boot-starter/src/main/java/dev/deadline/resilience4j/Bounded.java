package dev.deadline.resilience4j;

/**
 * What a registry hands out in place of one of its entries.
 *
 * @param <E> the kind of the entry
 */
interface Bounded<E> {

    /** The entry that does the work. It has the state, the metrics and the event consumers. */
    E entry();
}
