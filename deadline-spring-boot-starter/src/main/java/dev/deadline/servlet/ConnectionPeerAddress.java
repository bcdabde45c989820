package dev.deadline.servlet;

import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The address that the container has for the innermost request. */
final class ConnectionPeerAddress implements PeerAddress {

    private static final String TOMCAT_FACADE = "org.apache.catalina.connector.RequestFacade";

    // By class, as Tomcat may be there in several class loaders, or not at all.
    private static final ClassValue<Optional<TomcatRequest>> TOMCAT = new ClassValue<>() {
        @Override
        protected Optional<TomcatRequest> computeValue(Class<?> type) {
            return type.getName().equals(TOMCAT_FACADE) ? TomcatRequest.behind(type) : Optional.empty();
        }
    };

    @Override
    public @Nullable String of(ServletRequest request) {
        ServletRequest innermost = request;
        while (innermost instanceof ServletRequestWrapper wrapper) {
            innermost = wrapper.getRequest();
        }
        TomcatRequest tomcat = TOMCAT.get(innermost.getClass()).orElse(null);
        return (tomcat != null) ? tomcat.peerAddress(innermost) : innermost.getRemoteAddr();
    }

    /** The request behind Tomcat's facade, which alone knows the peer once a valve has replaced the remote address. */
    private record TomcatRequest(Field request, Method peerAddress) {

        static Optional<TomcatRequest> behind(Class<?> facade) {
            try {
                Field request = facade.getDeclaredField("request");
                request.setAccessible(true);
                return Optional.of(new TomcatRequest(request, request.getType().getMethod("getPeerAddr")));
            } catch (ReflectiveOperationException | RuntimeException ex) {
                return Optional.empty();
            }
        }

        @Nullable
        String peerAddress(ServletRequest facade) {
            try {
                return (String) this.peerAddress.invoke(this.request.get(facade));
            } catch (ReflectiveOperationException | RuntimeException ex) {
                return facade.getRemoteAddr();
            }
        }
    }
}
