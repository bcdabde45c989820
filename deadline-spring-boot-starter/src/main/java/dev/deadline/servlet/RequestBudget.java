package dev.deadline.servlet;

import dev.deadline.engine.Budget;

/**
 * What one request is given.
 *
 * @param lengthNanos the time it may take; {@link Budget#UNBOUNDED} if not limited
 * @param reserveNanos the part of it that ordinary steps never get
 */
public record RequestBudget(long lengthNanos, long reserveNanos) {

    static final RequestBudget NONE = new RequestBudget(Budget.UNBOUNDED, 0);

    boolean isBounded() {
        return this.lengthNanos != Budget.UNBOUNDED;
    }

    RequestBudget shortenedTo(long callersNanos) {
        return (callersNanos < this.lengthNanos) ? new RequestBudget(callersNanos, this.reserveNanos) : this;
    }
}
