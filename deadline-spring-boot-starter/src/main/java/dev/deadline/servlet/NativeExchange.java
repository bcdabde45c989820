package dev.deadline.servlet;

import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * What a container lets be done to a request beyond the Servlet API. Found by the class of the innermost request, which
 * its thread must be working on.
 */
interface NativeExchange {

    /** Whether another thread may write the response while the request's own is in the application. */
    boolean takesAnswerFromElsewhere();

    /** Whether {@link #hasClientLeft} can ever be true, of this exchange or of another one of the container. */
    boolean noticesDeparture();

    /**
     * Whether the client has closed the connection or, if there is more than one exchange on it, ended this one. Says
     * false while the body has not been read. Only to be asked while nobody else touches the request or the response.
     */
    boolean hasClientLeft();

    /**
     * The connection, if the request has it for itself and a thread that waits for more of the body cannot be
     * interrupted; null if it can.
     */
    @Nullable
    SocketChannel uninterruptibleInput();

    /** Whether it is known that some of the body is yet to be read. */
    boolean isBodyLeft();

    /**
     * Has the container send a status without closing the connection for it.
     *
     * @return what the response is to be given in its place, and then to be committed
     */
    int keepOpenAfter(int status);

    /**
     * Ends a response that is on its way so that the client can tell that it is not complete.
     *
     * @return false if that is for the container to do, when it is given an exception
     */
    boolean abort();

    static NativeExchange of(ServletRequest request) {
        ServletRequest innermost = request;
        while (innermost instanceof ServletRequestWrapper wrapper) {
            innermost = wrapper.getRequest();
        }
        String type = innermost.getClass().getName();
        if (type.startsWith("org.apache.catalina.connector.")) {
            return tomcat(innermost);
        }
        return type.startsWith("org.eclipse.jetty.") ? PlainExchange.LENIENT : PlainExchange.STRICT;
    }

    private static NativeExchange tomcat(ServletRequest facade) {
        try {
            NativeExchange tomcat = TomcatExchange.behind(facade);
            return (tomcat != null) ? tomcat : PlainExchange.LENIENT;
        } catch (LinkageError ex) {
            // A Tomcat that the application cannot see.
            return PlainExchange.LENIENT;
        }
    }
}
