package dev.deadline;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes a method of a Spring bean one named step of the request: it gets a bounded share of the request's time, is
 * stopped when that ends, and then does what its policy says.
 *
 * <p>Works for methods that return a value or nothing, a {@code CompletionStage} or {@code CompletableFuture}, a
 * {@code Mono} or a {@code Flux}. A plain method runs on the calling thread, which is interrupted when its time is up;
 * a stage is completed and its source cancelled; the clock of a {@code Mono} or {@code Flux} starts at each
 * subscription. Calls from within the same bean are not advised, as with every Spring annotation.
 *
 * <p>The policy applies when time runs out and when the upstream fails. The application's own exceptions pass through
 * untouched.
 *
 * <p>May be put on interfaces and used as a meta-annotation. Durations are written {@code 250ms}, {@code 2s},
 * {@code PT2S}, or as a placeholder such as {@code ${flags.timeout}}; {@code deadline.steps.<name>.*} wins over all of
 * them. A declaration that cannot work stops the start-up with a message that says why.
 *
 * @since 0.1
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
public @interface Step {

    /**
     * The step's name in headers, logs, metrics and configuration: 1 to 64 of {@code A-Z a-z 0-9 . _ -}.
     */
    String name();

    /**
     * What becomes of the request when this step does not answer. There is no default: decide.
     */
    OnTimeout onTimeout();

    /**
     * The longest time the step may take. Empty: as long as the request has, less the reserve.
     */
    String timeout() default "";

    /**
     * What this step leaves of the request's time. Empty: the reserve of the request. Has no effect on an essential
     * step.
     */
    String reserve() default "";

    /**
     * The least time with which starting makes sense; with less the step does not start. Empty: 1 ms.
     */
    String minimum() default "";

    /**
     * Whether the request exists for this step, so that it may spend the reserve.
     */
    boolean essential() default false;

    /**
     * The method of the same class that answers in place of an {@link OnTimeout#OPEN} step: same parameters, optionally
     * followed by a {@link StepFailedException}, and the same return type. Empty: the natural empty value of the
     * return type: nothing, an empty {@code Optional}, collection, {@code Map} or {@code Stream}; for a stage or a
     * {@code Mono} that of its content; an empty {@code Flux}, or {@code Mono} of anything else. Other types need one.
     */
    String fallback() default "";

    /**
     * Whether the thread in the method's body may be interrupted when time is up. Where false, only calls through
     * clients that this library knows are stopped.
     */
    boolean interrupt() default true;
}
