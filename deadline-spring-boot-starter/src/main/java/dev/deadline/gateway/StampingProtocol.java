package dev.deadline.gateway;

import org.apache.coyote.Adapter;
import org.apache.coyote.http11.Http11NioProtocol;

/**
 * Tomcat's usual protocol, except that it notes when work enters the queue of its executor, for {@code ArrivalStamp}.
 * Tomcat makes it by its name.
 */
public final class StampingProtocol extends Http11NioProtocol {

    public StampingProtocol() {
        super(new StampingEndpoint());
    }

    @Override
    public void setAdapter(Adapter adapter) {
        super.setAdapter(new OneRequestPerStamp(adapter));
    }
}
