package dev.deadline.gateway;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.function.Function;
import java.util.stream.Stream;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.ServerHttpResponse;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.CorsConfigurationSource;
import org.springframework.web.cors.DefaultCorsProcessor;
import org.springframework.web.filter.CorsFilter;

/**
 * Asks those who set the CORS headers in a Spring application, in the order in which a request comes to them: its filters
 * for CORS, those of Spring Security included, and then its configurations, Spring MVC's included. The first that sets
 * them counts. Nothing is looked for before the first refusal.
 */
public final class ApplicationCors implements CorsHeaders {

    private static final FilterChain END = (request, response) -> {};

    private final Function<HttpServletRequest, Stream<? extends Filter>> filters;

    private final Function<HttpServletRequest, Stream<CorsConfigurationSource>> sources;

    private final DefaultCorsProcessor processor = new SilentProcessor();

    /**
     * @param filters finds the filters that a request goes through
     * @param sources finds configurations
     */
    public ApplicationCors(
            Function<HttpServletRequest, Stream<? extends Filter>> filters,
            Function<HttpServletRequest, Stream<CorsConfigurationSource>> sources) {
        this.filters = filters;
        this.sources = sources;
    }

    @Override
    public void addTo(HttpServletRequest request, HttpServletResponse response) throws IOException, ServletException {
        for (Filter filter : this.filters.apply(request).toList()) {
            if (filter instanceof CorsFilter) {
                filter.doFilter(request, new HeadersOnly(response), END);
                if (isDone(response)) {
                    return;
                }
            }
        }
        for (CorsConfigurationSource source : this.sources.apply(request).toList()) {
            CorsConfiguration configuration = source.getCorsConfiguration(request);
            if (configuration != null) {
                this.processor.processRequest(configuration, request, response);
                if (isDone(response)) {
                    return;
                }
            }
        }
    }

    private static boolean isDone(HttpServletResponse response) {
        return response.containsHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN);
    }

    /** Leaves it to the refusal what is said to an origin that is not allowed. */
    private static final class SilentProcessor extends DefaultCorsProcessor {

        @Override
        protected void rejectRequest(ServerHttpResponse response) {
            // The refusal has a status of its own.
        }
    }
}
