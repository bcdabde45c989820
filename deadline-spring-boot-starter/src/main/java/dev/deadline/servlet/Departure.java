package dev.deadline.servlet;

import java.io.EOFException;
import java.io.IOException;
import org.springframework.web.util.DisconnectedClientHelper;

/** Tells from a failed read or write that there is nobody at the other end of the connection any more. */
final class Departure {

    private Departure() {}

    static boolean isSeenIn(IOException failure) {
        // Jetty has types of its own for a body that ends too early.
        return failure instanceof EOFException || DisconnectedClientHelper.isClientDisconnectedException(failure);
    }
}
