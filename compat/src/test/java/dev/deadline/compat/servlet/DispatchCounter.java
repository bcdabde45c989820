package dev.deadline.compat.servlet;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/** Around everything else: a client may have its answer before the server has reported on it. */
class DispatchCounter implements Filter {

    private final AtomicInteger running = new AtomicInteger();

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        this.running.incrementAndGet();
        try {
            chain.doFilter(request, response);
        } finally {
            this.running.decrementAndGet();
        }
    }

    boolean isIdle() {
        return this.running.get() == 0;
    }
}
