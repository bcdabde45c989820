package dev.deadline.http;

import java.util.function.Consumer;
import org.reactivestreams.Subscription;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import reactor.core.CoreSubscriber;
import reactor.util.context.Context;

/**
 * Takes a body only to let go of it, and so of what is queued. Reactor's own subscribers report an error that follows
 * their cancel as dropped; here it says that the body is gone already or that somebody else has it.
 */
final class Discarding implements CoreSubscriber<Object> {

    // Under Reactor's name for what is done in one chain as Hooks.onErrorDropped is in all. Where Spring has taken the
    // same body to release it, this one is refused by Spring and by Reactor, and nobody is left to hear of the second.
    private static final Context UNHEARD =
            Context.of("reactor.onErrorDropped.local", (Consumer<Throwable>) failure -> {});

    private final Runnable refused;

    Discarding() {
        this(() -> {});
    }

    /**
     * @param refused what to do if this body cannot be taken; runs after whoever has taken it could do so
     */
    Discarding(Runnable refused) {
        this.refused = refused;
    }

    @Override
    public Context currentContext() {
        return UNHEARD;
    }

    @Override
    public void onSubscribe(Subscription subscription) {
        subscription.cancel();
    }

    @Override
    public void onNext(Object buffer) {
        if (buffer instanceof DataBuffer unasked) {
            DataBufferUtils.release(unasked);
        }
    }

    @Override
    public void onError(Throwable failure) {
        this.refused.run();
    }

    @Override
    public void onComplete() {
        this.refused.run();
    }
}
