package dev.deadline.compat.servlet;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A web server in front of Tomcat, which speaks AJP. */
final class AjpConnection implements AutoCloseable {

    private static final int FORWARD_REQUEST = 2;

    private static final int GET = 2;

    private static final int QUERY_STRING = 5;

    private static final int END_OF_ATTRIBUTES = 0xff;

    private static final int END_RESPONSE = 5;

    private final Socket socket;

    AjpConnection(int port) throws IOException {
        this.socket = new Socket("localhost", port);
        this.socket.setSoTimeout(15_000);
    }

    /** Sends a request; gives back all that comes as an answer, as it is on the wire. */
    String get(String path, String query) throws IOException {
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(message);
        out.writeByte(FORWARD_REQUEST);
        out.writeByte(GET);
        for (String text : new String[] {"HTTP/1.1", path, "127.0.0.1", "localhost", "localhost"}) {
            write(out, text);
        }
        out.writeShort(80);
        out.writeBoolean(false);
        out.writeShort(0);
        out.writeByte(QUERY_STRING);
        write(out, query);
        out.writeByte(END_OF_ATTRIBUTES);
        DataOutputStream packet = new DataOutputStream(this.socket.getOutputStream());
        packet.writeShort(0x1234);
        packet.writeShort(message.size());
        message.writeTo(packet);
        packet.flush();
        return readAnswer();
    }

    private static void write(DataOutputStream out, String text) throws IOException {
        out.writeShort(text.length());
        out.write(text.getBytes(StandardCharsets.ISO_8859_1));
        out.writeByte(0);
    }

    private String readAnswer() throws IOException {
        StringBuilder answer = new StringBuilder();
        DataInputStream in = new DataInputStream(this.socket.getInputStream());
        for (int type = 0; type != END_RESPONSE; ) {
            in.readShort();
            byte[] packet = in.readNBytes(in.readUnsignedShort());
            type = packet[0];
            answer.append(new String(packet, StandardCharsets.ISO_8859_1));
        }
        return answer.toString();
    }

    @Override
    public void close() throws IOException {
        this.socket.close();
    }
}
