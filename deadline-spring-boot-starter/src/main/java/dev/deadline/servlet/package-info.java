/**
 * Gives each HTTP request its budget, and its response what it must say.
 */
@NullMarked
package dev.deadline.servlet;

import org.jspecify.annotations.NullMarked;
