package dev.deadline.gateway;

import dev.deadline.engine.ArrivalStamp;
import org.apache.coyote.Adapter;
import org.apache.coyote.Request;
import org.apache.coyote.Response;
import org.apache.tomcat.util.net.SocketEvent;

/**
 * Ends a stamp with the first request or dispatch that is served under it, whether somebody took it or not. A thread may go on
 * with the next request of the connection, which has not been in the queue.
 */
final class OneRequestPerStamp implements Adapter {

    private final Adapter adapter;

    OneRequestPerStamp(Adapter adapter) {
        this.adapter = adapter;
    }

    @Override
    public void service(Request request, Response response) throws Exception {
        try {
            this.adapter.service(request, response);
        } finally {
            ArrivalStamp.clear();
        }
    }

    @Override
    public boolean asyncDispatch(Request request, Response response, SocketEvent status) throws Exception {
        try {
            return this.adapter.asyncDispatch(request, response, status);
        } finally {
            ArrivalStamp.clear();
        }
    }

    @Override
    public boolean prepare(Request request, Response response) throws Exception {
        return this.adapter.prepare(request, response);
    }

    @Override
    public void log(Request request, Response response, long time) {
        this.adapter.log(request, response, time);
    }

    @Override
    public void checkRecycled(Request request, Response response) {
        this.adapter.checkRecycled(request, response);
    }

    @Override
    public String getDomain() {
        return this.adapter.getDomain();
    }
}
