package dev.deadline.engine;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/** Where the engine tells of faults in other people's code. The JDK's logger, as this package knows no other. */
final class EngineLog {

    private static final Logger LOGGER = System.getLogger("dev.deadline.engine");

    private EngineLog() {}

    static void debug(String message, Throwable cause) {
        LOGGER.log(Level.DEBUG, message, cause);
    }

    static void warn(String message, Throwable cause) {
        LOGGER.log(Level.WARNING, message, cause);
    }
}
