package dev.deadline.servlet;

import java.io.IOException;
import org.springframework.web.util.DisconnectedClientHelper;

/** Tells from a failed read or write that there is nobody at the other end of the connection any more. */
final class Departure {

    private Departure() {}

    static boolean isSeenIn(IOException failure) {
        return DisconnectedClientHelper.isClientDisconnectedException(failure);
    }
}
