package dev.deadline.compat.clients;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;

/** The kinds of threads that run requests. An interrupt ends a socket's read on one of them only. */
enum Threads {
    PLATFORM,
    VIRTUAL;

    /** Those that this JVM has. */
    static Stream<Threads> available() {
        return (Runtime.version().feature() >= 21) ? Stream.of(PLATFORM, VIRTUAL) : Stream.of(PLATFORM);
    }

    ExecutorService start() {
        if (this == PLATFORM) {
            return Executors.newSingleThreadExecutor();
        }
        try {
            return (ExecutorService)
                    Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        } catch (ReflectiveOperationException ex) {
            throw new IllegalStateException(ex);
        }
    }
}
