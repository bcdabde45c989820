/**
 * What an application touches: the deadline of the current request, the {@link dev.deadline.Step} annotation and its
 * functional form, the reasons, and the two exceptions. Depends on nothing but the JDK.
 */
@NullMarked
package dev.deadline;

import org.jspecify.annotations.NullMarked;
