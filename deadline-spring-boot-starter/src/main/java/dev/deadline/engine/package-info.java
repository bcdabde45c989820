/**
 * The machine behind the deadlines: {@link dev.deadline.engine.Scope scopes} and their binding to threads, the
 * {@link dev.deadline.engine.Watchdog} that ends them, the {@link dev.deadline.engine.StepExecution execution of
 * steps}, and the seams for {@link dev.deadline.engine.MonotonicClock time} and {@link
 * dev.deadline.engine.FailureClassifier failures}. Knows neither Spring nor Reactor. Types are public for the adapters
 * of this library and are no promise to applications.
 */
@NullMarked
package dev.deadline.engine;

import org.jspecify.annotations.NullMarked;
