package dev.deadline;

/**
 * Knows the deadline of the calling thread. Found by {@link java.util.ServiceLoader} so that this package depends on
 * no other; not meant to be implemented by applications.
 *
 * @since 0.1
 */
@FunctionalInterface
public interface CurrentDeadlineProvider {

    /**
     * The innermost deadline of the calling thread, or {@link Deadline#none()}.
     */
    Deadline current();
}
