package dev.deadline.autoconfigure;

import org.jspecify.annotations.Nullable;

/**
 * What matters here of a health group of the actuator's.
 *
 * @param additionalPath where else it is found, as in {@code server:/healthz}
 */
record HealthGroup(@Nullable String additionalPath) {}
