package dev.deadline.engine;

/**
 * Tells the failures of an upstream, to which a step's policy applies, from the application's own exceptions, which
 * pass through untouched. Declare a bean of this type to decide otherwise.
 */
@FunctionalInterface
public interface FailureClassifier {

    /** Whether the exception means that the upstream of a step failed. Called only for exceptions of the work. */
    boolean isUpstreamFailure(Throwable failure);
}
