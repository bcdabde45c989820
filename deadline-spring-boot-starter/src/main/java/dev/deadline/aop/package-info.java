/**
 * Makes @Step work: advice, fallbacks and the checks at start-up.
 */
@NullMarked
package dev.deadline.aop;

import org.jspecify.annotations.NullMarked;
