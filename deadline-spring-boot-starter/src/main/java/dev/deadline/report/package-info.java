/**
 * Tells what happened: log events and metrics.
 */
@NullMarked
package dev.deadline.report;

import org.jspecify.annotations.NullMarked;
