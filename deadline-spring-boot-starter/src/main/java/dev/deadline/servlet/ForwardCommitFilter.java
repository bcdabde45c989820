package dev.deadline.servlet;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import org.springframework.web.util.WebUtils;

/**
 * Decides on the headers when a forward is over, since the container ends the response then, on Tomcat 11 past all
 * wrappers. To be registered for FORWARD only.
 */
public final class ForwardCommitFilter implements Filter {

    /**
     * @throws dev.deadline.DeadlineExceededException if the request is refused, so that the container does not get to
     *     end its response
     */
    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        chain.doFilter(request, response);
        GuardedResponse guarded = WebUtils.getNativeResponse(response, GuardedResponse.class);
        if (guarded != null && !request.isAsyncStarted()) {
            guarded.guard().commitOrThrow();
        }
    }
}
