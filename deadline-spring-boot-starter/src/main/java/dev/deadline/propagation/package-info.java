/**
 * Carries deadlines: over the wire in headers, and to other threads with Micrometer context-propagation.
 */
@NullMarked
package dev.deadline.propagation;

import org.jspecify.annotations.NullMarked;
