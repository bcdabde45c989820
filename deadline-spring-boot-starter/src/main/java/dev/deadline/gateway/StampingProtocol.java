package dev.deadline.gateway;

import dev.deadline.engine.LastingConnections;
import org.apache.coyote.Adapter;
import org.apache.coyote.Request;
import org.apache.coyote.Response;
import org.apache.coyote.http11.Http11NioProtocol;

/**
 * Tomcat's usual protocol, except that it notes when work enters the queue of its executor, for {@code ArrivalStamp},
 * and lets a connection outlive an answer where it is asked to.
 * Tomcat makes it by its name.
 */
public final class StampingProtocol extends Http11NioProtocol implements LastingConnections {

    public StampingProtocol() {
        super(new StampingEndpoint());
    }

    @Override
    public void setAdapter(Adapter adapter) {
        super.setAdapter(new OneRequestPerStamp(adapter));
    }

    // Asked when an answer is committed, after Tomcat has looked whether its status ends the connection, and before the
    // status is sent.
    @Override
    public boolean useCompression(Request request, Response response) {
        if (request.getAttribute(STATUS) instanceof Integer status) {
            response.setStatus(status);
            return false;
        }
        return super.useCompression(request, response);
    }

    // Tomcat looks a second time when the request is over. What was sent has been sent, and logged.
    static void keepOpen(Request request, Response response) {
        if (request.getAttribute(STATUS) != null && response.isCommitted()) {
            response.setStatus(STAND_IN);
        }
    }
}
