package dev.deadline.http;

import dev.deadline.engine.VirtualThreads;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.springframework.core.task.VirtualThreadTaskExecutor;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/** Threads that block on a socket in place of those that must be able to leave. */
final class BodyReaders {

    private BodyReaders() {}

    /** Virtual ones if there are any, for their sockets an interrupt closes. */
    static Executor executor() {
        String prefix = "deadline-body-";
        if (VirtualThreads.exist()) {
            return new VirtualThreadTaskExecutor(prefix);
        }
        CustomizableThreadFactory threads = new CustomizableThreadFactory(prefix);
        threads.setDaemon(true);
        return new ThreadPoolExecutor(0, Integer.MAX_VALUE, 5, TimeUnit.SECONDS, new SynchronousQueue<>(), threads);
    }
}
