package dev.deadline.servlet;

import jakarta.servlet.ServletRequest;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import org.apache.coyote.AbstractProcessor;
import org.apache.coyote.CloseNowException;
import org.apache.coyote.Request;
import org.apache.coyote.http11.Http11Processor;
import org.apache.coyote.http11.filters.IdentityInputFilter;
import org.apache.coyote.http11.filters.VoidInputFilter;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.jspecify.annotations.Nullable;

/**
 * What Tomcat keeps to itself. Nothing of it is promised by Tomcat, so a Tomcat in which it is not there is told apart
 * by {@link #find} and served without.
 */
final class TomcatInternals {

    private static final @Nullable TomcatInternals FOUND = look();

    private final Class<?> facadeType;

    private final Field facadeRequest;

    private final Field hook;

    private final Field socketWrapper;

    private final Field protocol;

    private final Class<?> inputBufferType;

    private final Field byteBuffer;

    private final Field activeFilters;

    private final Field lastActiveFilter;

    private final Field bytesOfBodyLeft;

    private final Class<?> streamProcessorType;

    private final Field stream;

    private final Method isActive;

    private final Method cancel;

    private final Object internalError;

    private TomcatInternals() throws ReflectiveOperationException {
        this.facadeType = Class.forName("org.apache.catalina.connector.RequestFacade");
        this.facadeRequest = open(this.facadeType.getDeclaredField("request"));
        this.hook = open(Request.class.getDeclaredField("hook"));
        this.socketWrapper = open(AbstractProcessor.class.getDeclaredField("socketWrapper"));
        this.protocol = open(Http11Processor.class.getDeclaredField("protocol"));
        this.inputBufferType = Class.forName("org.apache.coyote.http11.Http11InputBuffer");
        this.byteBuffer = open(this.inputBufferType.getDeclaredField("byteBuffer"));
        this.activeFilters = open(this.inputBufferType.getDeclaredField("activeFilters"));
        this.lastActiveFilter = open(this.inputBufferType.getDeclaredField("lastActiveFilter"));
        this.bytesOfBodyLeft = open(IdentityInputFilter.class.getDeclaredField("remaining"));
        this.streamProcessorType = Class.forName("org.apache.coyote.http2.StreamProcessor");
        this.stream = open(this.streamProcessorType.getDeclaredField("stream"));
        this.isActive = open(this.stream.getType().getDeclaredMethod("isActive"));
        Class<?> errorType = Class.forName("org.apache.coyote.http2.Http2Error");
        this.cancel = open(this.stream.getType().getDeclaredMethod("doStreamCancel", String.class, errorType));
        this.internalError = open(errorType.getDeclaredField("INTERNAL_ERROR")).get(null);
    }

    private static <T extends AccessibleObject> T open(T member) {
        member.setAccessible(true);
        return member;
    }

    private static @Nullable TomcatInternals look() {
        try {
            return new TomcatInternals();
        } catch (ReflectiveOperationException | RuntimeException | LinkageError ex) {
            return null;
        }
    }

    /** What there is in this Tomcat; null if anything is missing. */
    static @Nullable TomcatInternals find() {
        return FOUND;
    }

    @Nullable
    Request request(ServletRequest facade) {
        Object request = this.facadeType.isInstance(facade) ? value(this.facadeRequest, facade) : null;
        return (request instanceof org.apache.catalina.connector.Request known) ? known.getCoyoteRequest() : null;
    }

    @Nullable
    Object processor(Request request) {
        return value(this.hook, request);
    }

    @Nullable
    SocketWrapperBase<?> socket(Object processor) {
        return (SocketWrapperBase<?>) value(this.socketWrapper, processor);
    }

    /** What the connection of an exchange with HTTP/1.1 was made by. */
    @Nullable
    Object protocol(Object http1Processor) {
        return value(this.protocol, http1Processor);
    }

    /**
     * The buffer that the connection is read into, if it is empty and the body has been read to its last byte and not
     * beyond; else null. Whatever came in together with the end of a body has passed the buffer, but is still in it, and
     * another read would overwrite it.
     */
    @Nullable
    ByteBuffer drainedInput(Request request) {
        Object input = request.getInputBuffer();
        if (!this.inputBufferType.isInstance(input)
                || !(value(this.byteBuffer, input) instanceof ByteBuffer buffer)
                || !(value(this.activeFilters, input) instanceof Object[] filters)
                || !(value(this.lastActiveFilter, input) instanceof Integer last)) {
            return null;
        }
        boolean drained = !buffer.hasRemaining() && (last < 0 || isDrained(filters[last]));
        return drained ? buffer : null;
    }

    // A body in chunks has more places than one where what follows it may be.
    private boolean isDrained(Object filter) {
        return filter instanceof VoidInputFilter
                || (filter instanceof IdentityInputFilter
                        && Long.valueOf(0).equals(value(this.bytesOfBodyLeft, filter)));
    }

    /** Whether all of the body that has not been read yet is in the buffer already, as far as can be told. */
    boolean isBodyThere(Request request) {
        Object input = request.getInputBuffer();
        return this.inputBufferType.isInstance(input)
                && value(this.byteBuffer, input) instanceof ByteBuffer buffer
                && value(this.activeFilters, input) instanceof Object[] filters
                && value(this.lastActiveFilter, input) instanceof Integer last
                && last >= 0
                && filters[last] instanceof IdentityInputFilter
                && value(this.bytesOfBodyLeft, filters[last]) instanceof Long left
                && left <= buffer.remaining();
    }

    boolean isHttp2(Object processor) {
        return this.streamProcessorType.isInstance(processor);
    }

    boolean isStreamReset(Object processor) {
        Object current = isHttp2(processor) ? value(this.stream, processor) : null;
        try {
            return current != null && Boolean.FALSE.equals(this.isActive.invoke(current));
        } catch (ReflectiveOperationException ex) {
            return false;
        }
    }

    /** Has the stream end with a reset in place of its end; false if that cannot be done. */
    boolean resetStream(Object processor) {
        Object current = isHttp2(processor) ? value(this.stream, processor) : null;
        if (current == null) {
            return false;
        }
        try {
            this.cancel.invoke(current, "The answer is not complete", this.internalError);
        } catch (InvocationTargetException ex) {
            // It leaves by an exception when it has done its work.
            return ex.getCause() instanceof CloseNowException;
        } catch (ReflectiveOperationException ex) {
            return false;
        }
        return true;
    }

    private static @Nullable Object value(Field field, Object owner) {
        try {
            return field.get(owner);
        } catch (ReflectiveOperationException ex) {
            return null;
        }
    }
}
