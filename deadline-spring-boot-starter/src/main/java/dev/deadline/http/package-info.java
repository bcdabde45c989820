/**
 * Bounds the calls of Spring's HTTP clients.
 */
@NullMarked
package dev.deadline.http;

import org.jspecify.annotations.NullMarked;
