/**
 * Bounds results that are computed later: CompletionStage, Mono and Flux.
 */
@NullMarked
package dev.deadline.reactive;

import org.jspecify.annotations.NullMarked;
