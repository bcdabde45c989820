package dev.deadline.reactive;

import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.Scope;
import dev.deadline.engine.Section;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CorePublisher;
import reactor.core.CoreSubscriber;
import reactor.core.Exceptions;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * Has a source subscribed to and cancelled on a thread that carries its deadline. Signals leave it behind again: what is
 * further down may belong to another deadline.
 */
final class CarriedSubscriber<T> implements CoreSubscriber<T>, Subscription {

    private final CoreSubscriber<? super T> downstream;

    // Null hides the deadline of a thread that works for another one.
    private final @Nullable Scope scope;

    private final @Nullable Scope outer = DeadlineEngine.currentScope();

    // The thread that is subscribing or asking for elements. Only that thread compares itself to it, so it sees what it
    // wrote; if another one asks at the same time, elements may take the deadline further down, and nothing worse.
    private @Nullable Thread carrying;

    private @Nullable Subscription upstream;

    // Looked at by the thread that may have cancelled by itself, in onSubscribe, and so sees what it wrote. Not to have
    // seen that another one cancels costs no more than a dropped error in the log.
    private boolean cancelled;

    private CarriedSubscriber(CoreSubscriber<? super T> downstream, @Nullable Scope scope) {
        this.downstream = downstream;
        this.scope = scope;
    }

    /**
     * @param assembled the scope that was current when the source was described; null for none
     */
    static <T> void subscribe(
            CorePublisher<? extends T> source, CoreSubscriber<? super T> downstream, @Nullable Scope assembled) {
        Scope scope = ScopeLookup.find(downstream.currentContext(), assembled);
        if (scope == null && DeadlineEngine.currentScope() == null) {
            source.subscribe(downstream);
        } else {
            new CarriedSubscriber<T>(downstream, scope).subscribeTo(source);
        }
    }

    // What an operator throws is told as an error: on a thread of Reactor's nobody else would hear of it.
    private void subscribeTo(CorePublisher<? extends T> source) {
        this.carrying = Thread.currentThread();
        try (Section section = DeadlineEngine.carry(this.scope)) {
            source.subscribe(this);
        } catch (Throwable ex) {
            Exceptions.throwIfFatal(ex);
            report(ex);
        } finally {
            this.carrying = null;
        }
    }

    private void report(Throwable failure) {
        if (this.upstream == null) {
            onSubscribe(Operators.emptySubscription());
        }
        // Who was cut while an operator held this thread has been told, and is told so late of the reason only.
        if (!this.cancelled) {
            onError(failure);
        }
    }

    @Override
    public Context currentContext() {
        return this.downstream.currentContext();
    }

    @Override
    public void onSubscribe(Subscription subscription) {
        this.upstream = subscription;
        // Not left behind here: asking for elements is what makes many sources begin.
        this.downstream.onSubscribe(this);
    }

    @Override
    public void onNext(T element) {
        signal(() -> this.downstream.onNext(element));
    }

    @Override
    public void onError(Throwable failure) {
        signal(() -> this.downstream.onError(failure));
    }

    @Override
    public void onComplete() {
        signal(this.downstream::onComplete);
    }

    private void signal(Runnable signal) {
        if (Thread.currentThread() != this.carrying) {
            signal.run();
            return;
        }
        try (Section section = DeadlineEngine.carry(this.outer)) {
            signal.run();
        }
    }

    @Override
    public void request(long elements) {
        if (this.upstream != null) {
            Thread caller = Thread.currentThread();
            boolean nested = this.carrying == caller;
            this.carrying = caller;
            // Many sources make their elements when they are asked for them, which may be long after the subscription.
            try (Section section = DeadlineEngine.carry(this.scope)) {
                this.upstream.request(elements);
            } finally {
                this.carrying = nested ? caller : null;
            }
        }
    }

    @Override
    public void cancel() {
        this.cancelled = true;
        if (this.upstream != null) {
            try (Section section = DeadlineEngine.carry(this.scope)) {
                this.upstream.cancel();
            }
        }
    }
}
