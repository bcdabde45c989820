package dev.deadline.gateway;

import dev.deadline.engine.Mode;
import dev.deadline.engine.RequestAnswer;
import dev.deadline.engine.Scope;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;

/**
 * Turns away what is beyond the limit of its token. To be registered behind authentication, for the dispatcher type REQUEST
 * only.
 */
public final class TokenLimitFilter implements Filter {

    private final TokenBouncer bouncer;

    private final Mode mode;

    private final GateAnswer answers;

    private final PlainPaths exempt;

    /**
     * @param mode whether what is beyond its limit is turned away, or only reported
     * @param exempt patterns of paths whose requests always get in
     */
    public TokenLimitFilter(TokenBouncer bouncer, Mode mode, GateAnswer answers, List<String> exempt) {
        this.bouncer = bouncer;
        this.mode = mode;
        this.answers = answers;
        this.exempt = new PlainPaths(exempt);
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        boolean isTurnedAway = request.getAttribute(Scope.KEY) instanceof RequestAnswer answer
                && request instanceof HttpServletRequest http
                && response instanceof HttpServletResponse httpResponse
                && turnsAway(answer, http, httpResponse);
        if (!isTurnedAway) {
            chain.doFilter(request, response);
        }
    }

    private boolean turnsAway(RequestAnswer answer, HttpServletRequest request, HttpServletResponse response) {
        LimitExcess excess = this.exempt.contain(request) ? null : this.bouncer.check(request);
        return excess != null && this.answers.limit(this.mode, answer, request, response, excess);
    }
}
