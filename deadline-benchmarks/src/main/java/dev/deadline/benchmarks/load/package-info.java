/**
 * Load experiments: how much of what a server can do reaches its clients in time when they ask for more than that, bare, behind Netflix's limiters, and
 * behind the gate. See docs/shedding-experiments.md.
 */
package dev.deadline.benchmarks.load;
