package dev.deadline.resilience4j;

import java.util.concurrent.CancellationException;

/** Whoever asked for a stage has cancelled it, so that nobody waits for what it was to bring. */
final class AbandonedException extends CancellationException {

    private static final long serialVersionUID = 1L;

    AbandonedException() {
        super("Cancelled by its caller");
    }
}
