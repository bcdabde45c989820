package dev.deadline.engine;

import dev.deadline.DeadlineListener;
import java.util.List;
import java.util.function.Consumer;

/** All listeners as one. What one of them throws keeps nothing from the others, nor from the request. */
final class Listeners implements DeadlineListener {

    private final DeadlineListener[] listeners;

    Listeners(List<? extends DeadlineListener> listeners) {
        this.listeners = listeners.toArray(DeadlineListener[]::new);
    }

    @Override
    public void stepFinished(StepEvent event) {
        if (event.reason() == null) {
            for (DeadlineListener listener : this.listeners) {
                try {
                    listener.stepFinished(event);
                } catch (Throwable ex) {
                    failed(ex);
                }
            }
        } else {
            tellUndisturbed(listener -> listener.stepFinished(event));
        }
    }

    @Override
    public void fallbackFailed(StepEvent event) {
        tellUndisturbed(listener -> listener.fallbackFailed(event));
    }

    @Override
    public void overran(String step, long overrunNanos) {
        tellUndisturbed(listener -> listener.overran(step, overrunNanos));
    }

    @Override
    public void overrunning(String step, long overrunNanos, StackTraceElement[] stack) {
        tellUndisturbed(listener -> listener.overrunning(step, overrunNanos, stack));
    }

    @Override
    public void unboundedCall(String client) {
        tellUndisturbed(listener -> listener.unboundedCall(client));
    }

    @Override
    public void requestFinished(RequestEvent event) {
        tellUndisturbed(listener -> listener.requestFinished(event));
    }

    @Override
    public void inboundIgnored(String header) {
        tellUndisturbed(listener -> listener.inboundIgnored(header));
    }

    @Override
    public void gateRefused(GateEvent event) {
        tellUndisturbed(listener -> listener.gateRefused(event));
    }

    @Override
    public void tokenShared(String token, int addresses) {
        tellUndisturbed(listener -> listener.tokenShared(token, addresses));
    }

    @Override
    public void limitStoreFailed() {
        tellUndisturbed(DeadlineListener::limitStoreFailed);
    }

    // Log appenders drop an event, or shut down, when the thread's flag is set: ours is held back and anybody else's
    // put aside until all have heard.
    private void tellUndisturbed(Consumer<DeadlineListener> call) {
        try (Section shield = ThreadBinding.enter(Section.Access.SHIELDED)) {
            boolean foreign = Thread.interrupted();
            try {
                for (DeadlineListener listener : this.listeners) {
                    try {
                        call.accept(listener);
                    } catch (Throwable ex) {
                        failed(ex);
                    }
                }
            } finally {
                if (foreign) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }

    private static void failed(Throwable ex) {
        EngineLog.warn("A DeadlineListener failed; nothing else is affected", ex);
    }
}
