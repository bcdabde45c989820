package dev.deadline.engine;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/** Tells virtual threads, which an interrupt affects in other ways, on every JDK. */
public final class VirtualThreads {

    private static final @Nullable MethodHandle IS_VIRTUAL = find();

    private VirtualThreads() {}

    // Before JDK 21 it is a preview, which throws unless that was asked for.
    private static @Nullable MethodHandle find() {
        if (!exist()) {
            return null;
        }
        try {
            return MethodHandles.lookup().findVirtual(Thread.class, "isVirtual", MethodType.methodType(boolean.class));
        } catch (ReflectiveOperationException ex) {
            return null;
        }
    }

    /** Whether the JDK at hand has any. */
    public static boolean exist() {
        return Runtime.version().feature() >= 21;
    }

    /** Whether the calling thread is one. */
    public static boolean isCurrent() {
        try {
            return IS_VIRTUAL != null && (boolean) IS_VIRTUAL.invokeExact(Thread.currentThread());
        } catch (Throwable ex) {
            throw new IllegalStateException(ex);
        }
    }
}
