package dev.deadline.servlet;

/**
 * What is answered to a request that the gate turned away.
 *
 * @param status of the answer
 * @param retryAfterSeconds what the client is told to wait
 */
record GateRefusal(int status, long retryAfterSeconds) {}
