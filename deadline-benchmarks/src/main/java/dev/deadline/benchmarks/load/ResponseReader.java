package dev.deadline.benchmarks.load;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/** Puts the responses of one connection together from what arrives; small ones, of which one is under way at a time. */
final class ResponseReader {

    private static final String END_OF_HEAD = "\r\n\r\n";

    private static final String LAST_CHUNK = "0\r\n\r\n";

    private byte[] bytes = new byte[1024];

    private int length;

    /**
     * Adds what has arrived.
     *
     * @return the response, once it is complete; else null
     */
    Response add(ByteBuffer arrived) {
        if (this.bytes.length - this.length < arrived.remaining()) {
            this.bytes = Arrays.copyOf(this.bytes, 2 * (this.length + arrived.remaining()));
        }
        int count = arrived.remaining();
        arrived.get(this.bytes, this.length, count);
        this.length += count;
        String text = new String(this.bytes, 0, this.length, StandardCharsets.ISO_8859_1);
        int headEnd = text.indexOf(END_OF_HEAD);
        if (headEnd < 0) {
            return null;
        }
        String head = text.substring(0, headEnd).toLowerCase(Locale.ROOT);
        String body = text.substring(headEnd + END_OF_HEAD.length());
        if (!isComplete(head, body)) {
            return null;
        }
        this.length = 0;
        return new Response(
                Integer.parseInt(head.substring(9, 12)),
                field(head, "x-degraded"),
                !field(head, "connection").equals("close"));
    }

    private static boolean isComplete(String head, String body) {
        if (field(head, "transfer-encoding").equals("chunked")) {
            return body.endsWith(LAST_CHUNK);
        }
        String announced = field(head, "content-length");
        return announced.isEmpty() || body.length() >= Integer.parseInt(announced);
    }

    private static String field(String head, String name) {
        int start = head.indexOf("\r\n" + name + ":");
        if (start < 0) {
            return "";
        }
        int valueStart = start + name.length() + 3;
        int end = head.indexOf("\r\n", valueStart);
        return head.substring(valueStart, end < 0 ? head.length() : end).trim();
    }
}
