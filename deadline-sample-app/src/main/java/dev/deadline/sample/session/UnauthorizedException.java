package dev.deadline.sample.session;

/** The visitor has no valid session. */
public class UnauthorizedException extends RuntimeException {

    private static final long serialVersionUID = 1L;
}
