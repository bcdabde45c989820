package dev.deadline.gateway;

import dev.deadline.GateCause;
import dev.deadline.Priority;
import dev.deadline.engine.Budget;
import dev.deadline.engine.Mode;
import dev.deadline.engine.MonotonicClock;
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
import org.springframework.web.cors.CorsUtils;

/**
 * The gate: turns away whoever exceeds the limit of its address, and what the shedder says cannot be answered in time,
 * before any work is done. To be registered directly behind the filter that gives requests their budgets, for the
 * dispatcher type REQUEST only.
 *
 * <p>A request whose time is up when it comes here never gets past this filter, exempt or not.
 */
public final class GatewayFilter implements Filter {

    private final MonotonicClock clock;

    private final Shedder shedder;

    private final Mode shedding;

    private final ClientLimit limit;

    private final Mode limiting;

    private final GateAnswer answers;

    private final Priorities priorities;

    private final PlainPaths exempt;

    /**
     * @param shedding whether what the shedder says is done, or only reported, or the shedder not even asked
     * @param limit by address
     * @param limiting as shedding, of the limit
     * @param exempt patterns of paths whose requests always get in
     */
    public GatewayFilter(
            MonotonicClock clock,
            Shedder shedder,
            Mode shedding,
            ClientLimit limit,
            Mode limiting,
            GateAnswer answers,
            Priorities priorities,
            List<String> exempt) {
        this.clock = clock;
        this.shedder = shedder;
        this.shedding = shedding;
        this.limit = limit;
        this.limiting = limiting;
        this.answers = answers;
        this.priorities = priorities;
        this.exempt = new PlainPaths(exempt);
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (request.getAttribute(Scope.KEY) instanceof RequestAnswer answer
                && request instanceof HttpServletRequest http
                && response instanceof HttpServletResponse httpResponse) {
            gate(answer, http, httpResponse, chain);
        } else {
            // The library is switched off at the moment.
            chain.doFilter(request, response);
        }
    }

    private void gate(RequestAnswer answer, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        boolean isFree = this.exempt.contain(request) || CorsUtils.isPreFlightRequest(request);
        // What is too late anyway is neither counted nor asked about elsewhere.
        if (!isFree && !isTooLate(answer) && isBeyondLimit(answer, request, response)) {
            return;
        }
        if (!isFree && this.shedding != Mode.OFF) {
            judge(answer, request, response, chain);
        } else if (!isTooLate(answer)) {
            chain.doFilter(request, response);
        }
    }

    private boolean isBeyondLimit(RequestAnswer answer, HttpServletRequest request, HttpServletResponse response) {
        LimitExcess excess = (this.limiting == Mode.OFF) ? null : this.limit.check(request);
        return excess != null && this.answers.limit(this.limiting, answer, request, response, excess);
    }

    private void judge(
            RequestAnswer answer, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        long now = this.clock.nanoTime();
        long queued = answer.queuedNanos();
        long left = this.shedder.leftNanos(queued, answer.remainingNanos(now));
        if (left == Budget.UNBOUNDED) {
            this.shedder.passed(now, queued);
            chain.doFilter(request, response);
            return;
        }
        int kind = RequestKind.of(request);
        Priority priority = this.priorities.of(request);
        GateCause cause = this.shedder.judge(now, queued, left, priority, kind);
        boolean isShed = cause != null && this.answers.shed(this.shedding, answer, request, response, cause, priority);
        if (!isShed && !isTooLate(answer)) {
            serve(request, response, chain, new Visit(this.shedder, this.clock, answer, kind, now, left));
        }
    }

    private static boolean isTooLate(RequestAnswer answer) {
        return answer.isEnforced() && answer.isOver();
    }

    private static void serve(HttpServletRequest request, HttpServletResponse response, FilterChain chain, Visit visit)
            throws IOException, ServletException {
        visit.begin();
        boolean goesOn = false;
        try {
            chain.doFilter(request, response);
            goesOn = request.isAsyncStarted();
        } finally {
            if (goesOn) {
                visit.goOn(request);
            } else {
                visit.end();
            }
        }
    }
}
