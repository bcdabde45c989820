package dev.deadline.benchmarks.load;

import com.netflix.concurrency.limits.Limit;
import com.netflix.concurrency.limits.Limiter;
import com.netflix.concurrency.limits.limit.AIMDLimit;
import com.netflix.concurrency.limits.limit.Gradient2Limit;
import com.netflix.concurrency.limits.limit.VegasLimit;
import com.netflix.concurrency.limits.limiter.SimpleLimiter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Netflix's limiter in front of the application, with its default settings and as its own servlet filter, which exists for javax only, uses it: what it does not
 * let in is answered with 429, and what throws is no sample.
 */
final class LimiterFilter extends OncePerRequestFilter {

    private final Limiter<Void> limiter;

    /**
     * A filter with one limiter for all requests.
     *
     * @param limit the name of its algorithm
     */
    LimiterFilter(String limit) {
        this.limiter = SimpleLimiter.newBuilder().limit(limitNamed(limit)).build();
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        Optional<Limiter.Listener> permit = this.limiter.acquire(null);
        if (permit.isEmpty()) {
            response.setStatus(429);
            return;
        }
        try {
            chain.doFilter(request, response);
            permit.get().onSuccess();
        } catch (ServletException | IOException | RuntimeException ex) {
            permit.get().onIgnore();
            throw ex;
        }
    }

    private static Limit limitNamed(String name) {
        return switch (name) {
            case "gradient2" -> Gradient2Limit.newDefault();
            case "aimd" -> AIMDLimit.newBuilder().build();
            case "vegas" -> VegasLimit.newDefault();
            default -> throw new IllegalArgumentException("There is no limit named " + name);
        };
    }
}
