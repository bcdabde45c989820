package dev.deadline.reactive;

import dev.deadline.StepFailedException;
import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.Deferred;
import dev.deadline.engine.Scope;
import dev.deadline.engine.StepExecution;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Signal;
import reactor.core.scheduler.Schedulers;

/** Bounds a Mono: every subscription is a run of the step, whose time begins with it. */
public final class DeferredMono implements Deferred {

    @Override
    public boolean handles(Class<?> type) {
        return Mono.class.isAssignableFrom(type);
    }

    @Override
    public Object bound(
            Object result,
            StepExecution begun,
            Function<? super @Nullable Scope, StepExecution> begin,
            @Nullable Function<? super StepFailedException, ?> fallback) {
        begun.scope().complete();
        Scope assembled = DeadlineEngine.currentScope();
        return Mono.deferContextual(
                context -> start((Mono<?>) result, begin.apply(ScopeLookup.find(context, assembled)), fallback));
    }

    private static Mono<?> start(
            Mono<?> source, StepExecution execution, @Nullable Function<? super StepFailedException, ?> fallback) {
        WorkRun run = new WorkRun(execution, fallback != null);
        if (!execution.mayStart()) {
            return follow(run.judgeNotStarted(), Mono.empty(), execution, fallback);
        }
        execution.goOnWithoutThread();
        return watch(source, run)
                .flatMap(end -> follow(run.verdict(end.getThrowable(), true), valueOf(end), execution, fallback));
    }

    @Override
    public Object boundFallback(Object result, StepExecution execution, StepFailedException failure, Scope scope) {
        return Mono.defer(() -> {
            FallbackRun run = new FallbackRun(execution, failure, scope);
            return watch((Mono<?>) result, run)
                    .flatMap(end -> follow(run.verdict(end.getThrowable(), false), valueOf(end), execution, null));
        });
    }

    /** How the source ends, or is cut, if anybody still waits for that. */
    private static Mono<Signal<Object>> watch(Mono<?> source, Run run) {
        Mono<Object> watched = source.cast(Object.class);
        if (run.isCut()) {
            watched = CancelSignal.cut(
                    CarriedPublisher.of(watched).contextWrite(context -> context.put(Scope.KEY, run.scope())),
                    run.scope());
        }
        return watched.materialize().doOnCancel(run::abandon).filter(end -> run.conclude());
    }

    private static Mono<?> valueOf(Signal<Object> end) {
        return Mono.justOrEmpty(end.get());
    }

    private static Mono<?> follow(
            Verdict verdict,
            Mono<?> answer,
            StepExecution execution,
            @Nullable Function<? super StepFailedException, ?> fallback) {
        if (verdict.error() != null) {
            return Mono.error(verdict.error());
        }
        if (verdict.replaced() == null || fallback == null) {
            return answer;
        }
        return replace(new FallbackCall(execution, verdict.replaced(), fallback));
    }

    private static Mono<?> replace(FallbackCall call) {
        return Mono.defer(() -> {
                    Scope scope = call.execution().openFallback();
                    return (Mono<?>)
                            new DeferredMono().boundFallback(call.call(scope), call.execution(), call.failure(), scope);
                })
                .subscribeOn(Schedulers.fromExecutor(call.execution().scope().afterwards()));
    }

    @Override
    public Object failed(Class<?> type, RuntimeException failure) {
        return Mono.error(failure);
    }
}
