/**
 * The gate in front of everything else: sheds what cannot be answered in time, and turns away clients that exceed their
 * limits, before any work is done for them.
 */
@NullMarked
package dev.deadline.gateway;

import org.jspecify.annotations.NullMarked;
