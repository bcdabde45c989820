package dev.deadline.compat.resilience4j;

/** In which form a guarded method answers. */
enum CallForm {
    BLOCKING,
    STAGE,
    MONO,
    FLUX
}
