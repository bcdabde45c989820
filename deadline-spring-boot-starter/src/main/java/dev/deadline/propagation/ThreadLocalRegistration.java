package dev.deadline.propagation;

import dev.deadline.engine.Scope;
import io.micrometer.context.ContextRegistry;

/**
 * Makes the deadline known to context propagation for as long as an application with deadlines runs. The registry
 * belongs to the whole JVM, which may run several applications: the last one to close takes the deadline out.
 */
public final class ThreadLocalRegistration implements AutoCloseable {

    private static final Object LOCK = new Object();

    // Guarded by LOCK.
    private static int open;

    public ThreadLocalRegistration() {
        synchronized (LOCK) {
            if (open++ == 0) {
                ContextRegistry.getInstance().registerThreadLocalAccessor(new DeadlineThreadLocalAccessor());
            }
        }
    }

    /** To be called once, as Spring does. */
    @Override
    public void close() {
        synchronized (LOCK) {
            if (--open == 0) {
                ContextRegistry.getInstance().removeThreadLocalAccessor(Scope.KEY);
            }
        }
    }
}
