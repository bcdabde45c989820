package dev.deadline.reactive;

import dev.deadline.StepFailedException;
import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.Deferred;
import dev.deadline.engine.Scope;
import dev.deadline.engine.StepExecution;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

/**
 * Bounds a Flux as a whole: every subscription is a run of the step, whose time begins with it and must suffice until
 * the last element. Once an element has been emitted no fallback takes over, for that would mix two answers: the Flux
 * fails.
 */
public final class DeferredFlux implements Deferred {

    @Override
    public boolean handles(Class<?> type) {
        return Flux.class.isAssignableFrom(type);
    }

    @Override
    public Object bound(
            Object result,
            StepExecution begun,
            Function<? super @Nullable Scope, StepExecution> begin,
            @Nullable Function<? super StepFailedException, ?> fallback) {
        begun.scope().complete();
        Scope assembled = DeadlineEngine.currentScope();
        return Flux.deferContextual(
                context -> start((Flux<?>) result, begin.apply(ScopeLookup.find(context, assembled)), fallback));
    }

    private static Flux<?> start(
            Flux<?> source, StepExecution execution, @Nullable Function<? super StepFailedException, ?> fallback) {
        WorkRun run = new WorkRun(execution, fallback != null);
        if (!execution.mayStart()) {
            return follow(run.judgeNotStarted(), execution, fallback);
        }
        execution.goOnWithoutThread();
        return watch(
                source, run, (failure, replaceable) -> follow(run.verdict(failure, replaceable), execution, fallback));
    }

    @Override
    public Object boundFallback(Object result, StepExecution execution, StepFailedException failure, Scope scope) {
        return Flux.defer(() -> {
            FallbackRun run = new FallbackRun(execution, failure, scope);
            return watch(
                    (Flux<?>) result, run, (cause, replaceable) -> follow(run.verdict(cause, false), execution, null));
        });
    }

    /**
     * The elements of the source, then what follows from its end.
     *
     * @param ending takes the failure, null for none, and whether nothing has been emitted
     */
    private static Flux<Object> watch(
            Flux<?> source, Run run, BiFunction<@Nullable Throwable, Boolean, Flux<?>> ending) {
        Flux<Object> watched = source.cast(Object.class);
        if (run.isCut()) {
            watched = CancelSignal.cut(
                    CarriedPublisher.of(watched).contextWrite(context -> context.put(Scope.KEY, run.scope())),
                    run.scope());
        }
        AtomicBoolean emitted = new AtomicBoolean();
        Function<@Nullable Throwable, Publisher<Object>> conclude = failure ->
                run.conclude() ? ending.apply(failure, !emitted.get()).cast(Object.class) : Flux.empty();
        return watched.doOnNext(element -> emitted.setPlain(true))
                .doOnCancel(run::abandon)
                .onErrorResume(conclude)
                .concatWith(Flux.defer(() -> conclude.apply(null)));
    }

    private static Flux<?> follow(
            Verdict verdict, StepExecution execution, @Nullable Function<? super StepFailedException, ?> fallback) {
        if (verdict.error() != null) {
            return Flux.error(verdict.error());
        }
        if (verdict.replaced() == null || fallback == null) {
            return Flux.empty();
        }
        return replace(new FallbackCall(execution, verdict.replaced(), fallback));
    }

    private static Flux<?> replace(FallbackCall call) {
        return Flux.defer(() -> {
                    Scope scope = call.execution().openFallback();
                    return (Flux<?>)
                            new DeferredFlux().boundFallback(call.call(scope), call.execution(), call.failure(), scope);
                })
                .subscribeOn(Schedulers.fromExecutor(call.execution().scope().afterwards()));
    }

    @Override
    public Object failed(Class<?> type, RuntimeException failure) {
        return Flux.error(failure);
    }
}
