package dev.deadline.report;

import java.util.Map;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/** How all events are written: a line of JSON as the message, and the same fields as key-values. */
final class EventLine {

    private EventLine() {}

    /**
     * Logs the fields in their order.
     *
     * @param fields strings, numbers and booleans; those that are null are left out of the key-values
     */
    static void log(Logger logger, Level level, Map<String, @Nullable Object> fields) {
        LoggingEventBuilder builder = logger.atLevel(level);
        StringJoiner json = new StringJoiner(",", "{", "}");
        fields.forEach((name, value) -> {
            if (value != null) {
                builder.addKeyValue(name, value);
            }
            json.add(quoted(name) + ":" + (value instanceof String text ? quoted(text) : String.valueOf(value)));
        });
        builder.log(json.toString());
    }

    // Names need no escaping; this keeps the line whole should one ever come from elsewhere.
    private static String quoted(String text) {
        StringBuilder json = new StringBuilder(text.length() + 2).append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                json.append('\\').append(c);
            } else if (c < ' ') {
                json.append(String.format("\\u%04x", (int) c));
            } else {
                json.append(c);
            }
        }
        return json.append('"').toString();
    }
}
