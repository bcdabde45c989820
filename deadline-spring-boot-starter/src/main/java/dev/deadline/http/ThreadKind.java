package dev.deadline.http;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.core.task.VirtualThreadTaskExecutor;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/** What the JDK at hand knows of virtual threads. */
final class ThreadKind {

    /** Whether there are virtual threads here, other than as a preview. */
    static final boolean HAS_VIRTUAL = Runtime.version().feature() >= 21;

    private static final @Nullable MethodHandle IS_VIRTUAL = isVirtual();

    private ThreadKind() {}

    private static @Nullable MethodHandle isVirtual() {
        try {
            return MethodHandles.lookup().findVirtual(Thread.class, "isVirtual", MethodType.methodType(boolean.class));
        } catch (ReflectiveOperationException ex) {
            return null;
        }
    }

    static boolean isVirtual(Thread thread) {
        try {
            return IS_VIRTUAL != null && HAS_VIRTUAL && (boolean) IS_VIRTUAL.invokeExact(thread);
        } catch (Throwable ex) {
            throw new IllegalStateException(ex);
        }
    }

    /** Runs tasks that block on a socket: on virtual threads if there are any, for their sockets an interrupt closes. */
    static Executor forBlockedReads() {
        String prefix = "deadline-body-";
        if (HAS_VIRTUAL) {
            return new VirtualThreadTaskExecutor(prefix);
        }
        CustomizableThreadFactory threads = new CustomizableThreadFactory(prefix);
        threads.setDaemon(true);
        return new ThreadPoolExecutor(0, Integer.MAX_VALUE, 5, TimeUnit.SECONDS, new SynchronousQueue<>(), threads);
    }
}
