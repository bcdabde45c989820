package dev.deadline.engine;

/**
 * How the engine of an application behaves.
 *
 * @param answerMarginNanos what nobody may spend of a request's budget
 * @param interrupt where threads may be interrupted
 * @param hookThreads how many cancel hooks may run at once; at least 1
 * @param timed whether to keep the duration of every step of a request
 */
public record EngineSettings(long answerMarginNanos, InterruptPolicy interrupt, int hookThreads, boolean timed) {}
