package dev.deadline.engine;

/**
 * How the engine of an application behaves.
 *
 * @param answerMarginNanos what nobody may spend of a request's budget
 * @param interrupt where threads may be interrupted
 * @param graceNanos how long work that was told to stop may go on before something harsher is done
 * @param hookThreads how many cancel hooks may run at once; at least 1
 * @param timed whether to keep the duration of every step of a request
 */
public record EngineSettings(
        long answerMarginNanos, InterruptPolicy interrupt, long graceNanos, int hookThreads, boolean timed) {}
