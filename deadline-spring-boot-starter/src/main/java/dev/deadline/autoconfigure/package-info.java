/**
 * Puts the library into a Spring Boot application: the settings, and one auto-configuration for each part that depends
 * on something optional. Every bean that an application may want to replace backs
 * off for the application's own.
 */
@NullMarked
package dev.deadline.autoconfigure;

import org.jspecify.annotations.NullMarked;
