package dev.deadline.servlet;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/** Calls the full form of sendRedirect, which is there from Servlet 6.1 on. */
final class Redirect {

    private static final @Nullable MethodHandle SEND = find();

    private Redirect() {}

    private static @Nullable MethodHandle find() {
        MethodType type = MethodType.methodType(void.class, String.class, int.class, boolean.class);
        try {
            return MethodHandles.publicLookup().findVirtual(HttpServletResponse.class, "sendRedirect", type);
        } catch (ReflectiveOperationException ex) {
            return null;
        }
    }

    static void send(HttpServletResponse response, String location, int status, boolean clearBuffer)
            throws IOException {
        if (SEND == null) {
            throw new UnsupportedOperationException("This container implements a Servlet API before 6.1");
        }
        try {
            SEND.invokeExact(response, location, status, clearBuffer);
        } catch (IOException | RuntimeException | Error ex) {
            throw ex;
        } catch (Throwable ex) {
            throw new IOException(ex);
        }
    }
}
