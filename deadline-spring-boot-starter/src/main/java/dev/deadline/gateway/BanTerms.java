package dev.deadline.gateway;

/**
 * When and for how long an address is banned.
 *
 * @param after how many refusals within a minute it takes; 1 or more
 * @param firstNanos how long the first time; each further time is twice as long
 * @param maxNanos how long at most, and how long an address has to behave until it is forgotten
 */
public record BanTerms(int after, long firstNanos, long maxNanos) {}
