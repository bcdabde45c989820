/**
 * Resilience4j inside a deadline: waits, attempts and pauses come out of the one time there is, and breakers are not told
 * of what is no upstream's doing.
 */
@NullMarked
package dev.deadline.resilience4j;

import org.jspecify.annotations.NullMarked;
