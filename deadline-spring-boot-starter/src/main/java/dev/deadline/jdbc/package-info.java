/**
 * Bounds the calls of JDBC data sources, and what they wait for.
 */
@NullMarked
package dev.deadline.jdbc;

import org.jspecify.annotations.NullMarked;
