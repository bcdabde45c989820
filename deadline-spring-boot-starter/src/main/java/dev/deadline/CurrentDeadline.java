package dev.deadline;

import java.util.ServiceLoader;

/** Holds the one provider, looked up when the first deadline is asked for. */
final class CurrentDeadline {

    // Our own class loader, not the thread's: the provider sits in the same jar.
    static final CurrentDeadlineProvider PROVIDER = ServiceLoader.load(
                    CurrentDeadlineProvider.class, Deadline.class.getClassLoader())
            .findFirst()
            .orElseThrow(() -> new IllegalStateException("No provider of the current deadline is on the class path. "
                    + "Keep META-INF/services of deadline-spring-boot-starter when repackaging it."));

    private CurrentDeadline() {}
}
