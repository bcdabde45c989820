package dev.deadline.gateway;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Turns away what is beyond the limit of its token. Its place is behind authentication; looks at each request once. */
public final class TokenLimitFilter implements Filter {

    private final TokenBouncer bouncer;

    private final LimitAnswer answer;

    TokenLimitFilter(TokenBouncer bouncer, LimitAnswer answer) {
        this.bouncer = bouncer;
        this.answer = answer;
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (request.getDispatcherType() == DispatcherType.REQUEST
                && request instanceof HttpServletRequest http
                && response instanceof HttpServletResponse httpResponse) {
            @Nullable LimitExcess excess = this.bouncer.check(http);
            if (excess != null && this.answer.refuse(http, httpResponse, excess)) {
                return;
            }
        }
        chain.doFilter(request, response);
    }
}
