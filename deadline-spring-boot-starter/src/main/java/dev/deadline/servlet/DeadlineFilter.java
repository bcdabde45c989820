package dev.deadline.servlet;

import dev.deadline.Deadline.Registration;
import dev.deadline.Outcome;
import dev.deadline.engine.ArrivalStamp;
import dev.deadline.engine.Budget;
import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.Mode;
import dev.deadline.engine.RequestAnswer;
import dev.deadline.engine.Scope;
import dev.deadline.engine.Section;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.springframework.web.context.request.async.WebAsyncUtils;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.util.WebUtils;

/**
 * Gives a request its budget, and refuses it when that is spent. Its time starts when the container got it, where that
 * is known, and else when this filter is entered. The dispatches that follow, asynchronous ones and that to the error
 * page, go on under the same deadline; to be registered for REQUEST, ASYNC and ERROR.
 */
public final class DeadlineFilter extends OncePerRequestFilter {

    private final DeadlineEngine engine;

    private final RequestBudgets budgets;

    private final CallerDeadlines callers;

    private final ResponseMarks marks;

    private final RequestConclusion conclusion;

    private final LastResort lastResort;

    private final ClientWatch clientWatch;

    private final BooleanSupplier gateBehind;

    /**
     * @param gateBehind whether the gate is the next filter, so that it gets to see requests that come too late, and
     *     refuses each of them; asked when one comes
     * @param detectClientAbort whether to look for clients that go away while a step waits, where the container allows it
     */
    public DeadlineFilter(
            DeadlineEngine engine,
            RequestBudgets budgets,
            CallerDeadlines callers,
            ResponseSettings settings,
            boolean detectClientAbort,
            BooleanSupplier gateBehind) {
        this.engine = engine;
        this.budgets = budgets;
        this.callers = callers;
        this.marks = new ResponseMarks(settings);
        Answer answer = new Answer(settings, this.marks);
        this.conclusion = new RequestConclusion(answer);
        this.lastResort = new LastResort(engine, answer);
        this.clientWatch = new ClientWatch(engine, detectClientAbort);
        this.gateBehind = gateBehind;
    }

    @Override
    protected boolean shouldNotFilterAsyncDispatch() {
        return false;
    }

    @Override
    protected boolean shouldNotFilterErrorDispatch() {
        return false;
    }

    @Override
    protected void doFilterNestedErrorDispatch(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        doFilterInternal(request, response, chain);
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        RequestDeadline known = RequestDeadline.of(request);
        DispatcherType dispatch = request.getDispatcherType();
        if (known != null && dispatch == DispatcherType.ERROR) {
            showError(known, request, response, chain);
        } else if (known != null) {
            resume(known, request, response, chain);
        } else {
            Mode mode = this.engine.mode();
            // An error that comes from outside any request of ours, as for one the container itself refuses, gets no
            // budget of its own.
            if (dispatch == DispatcherType.REQUEST && mode != Mode.OFF) {
                begin(mode, request, response, chain);
            } else {
                chain.doFilter(request, response);
            }
        }
    }

    private void begin(Mode mode, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        long now = this.engine.clock().nanoTime();
        boolean stamped = ArrivalStamp.isKnown();
        long start = stamped ? ArrivalStamp.take() : now;
        RequestBudget configured = this.budgets.of(request);
        RequestBudget budget = (configured != null) ? configured : RequestBudget.NONE;
        long callersNanos = (configured != null) ? this.callers.remainingNanos(request) : Budget.UNBOUNDED;
        boolean givenUp = callersNanos <= 0;
        boolean refused = givenUp && mode == Mode.ENFORCE;
        RequestBudget granted = refused ? budget : budget.shortenedTo(Math.max(0, callersNanos));
        boolean shortened = givenUp || granted != budget;
        Scope scope = this.engine.openRequest(start, granted.lengthNanos(), granted.reserveNanos(), mode, shortened);
        RequestDeadline deadline =
                new RequestDeadline(this.engine, scope, stamped ? now - start : RequestAnswer.UNKNOWN);
        request.setAttribute(RequestDeadline.ATTRIBUTE, deadline);
        DeadlineRequest served = new DeadlineRequest(request, response, deadline, this.marks, this.lastResort, false);
        if (refused) {
            served.dropBody(this.engine);
            this.conclusion.refuseAtOnce(deadline, served.response());
        } else if (scope.isEnforced() && deadline.isOver()) {
            refuseLate(deadline, served, chain);
        } else {
            WebAsyncUtils.getAsyncManager(request)
                    .registerCallableInterceptor(RequestDeadline.ATTRIBUTE, new CallableDeadline(scope));
            handle(deadline, served, served.response(), served.response(), chain);
        }
    }

    // The whole time went by in the queue. Nothing is bound for it and nothing watches it, as nothing is done.
    private void refuseLate(RequestDeadline deadline, DeadlineRequest served, FilterChain chain)
            throws IOException, ServletException {
        try {
            if (this.gateBehind.getAsBoolean()) {
                chain.doFilter(served, served.response());
            }
        } catch (Throwable ex) {
            deadline.finish(Outcome.BUSINESS_ERROR, null);
            throw ex;
        }
        served.dropBody(this.engine);
        if (deadline.isRefused()) {
            this.conclusion.conclude(deadline, served.response(), null);
        } else {
            this.conclusion.refuseAtOnce(deadline, served.response());
        }
    }

    private void resume(
            RequestDeadline deadline, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException {
        // Usually the dispatch comes with the request and response that the application started it with.
        GuardedResponse guarded = WebUtils.getNativeResponse(response, GuardedResponse.class);
        if (guarded == null) {
            DeadlineRequest served =
                    new DeadlineRequest(request, response, deadline, this.marks, this.lastResort, false);
            handle(deadline, served, served.response(), served.response(), chain);
        } else if (isEnded(deadline) && !guarded.guard().isCommitted()) {
            // A result that comes now must not turn up in the dispatch to the error page.
            request.removeAttribute(WebAsyncUtils.WEB_ASYNC_MANAGER_ATTRIBUTE);
            this.conclusion.conclude(deadline, guarded, null);
        } else {
            handle(deadline, request, response, guarded, chain);
        }
    }

    // By its time or because its client has gone: then there may be no result, and the controller would run again.
    private static boolean isEnded(RequestDeadline deadline) {
        return deadline.isOver() || deadline.scope().reason() != null;
    }

    private void handle(
            RequestDeadline deadline,
            HttpServletRequest request,
            HttpServletResponse response,
            GuardedResponse guarded,
            FilterChain chain)
            throws IOException {
        Throwable failure = null;
        boolean goesOn;
        DeadlineRequest served = WebUtils.getNativeRequest(request, DeadlineRequest.class);
        ResponseGuard guard = guarded.guard();
        guard.attend();
        Section section = this.engine.bind(deadline.scope());
        try (Registration standby = this.lastResort.standBy(deadline, request, guard);
                Registration watch = this.clientWatch.begin(deadline, served, guard)) {
            chain.doFilter(request, response);
        } catch (Throwable ex) {
            failure = ex;
        } finally {
            goesOn = request.isAsyncStarted();
            if (!goesOn) {
                // The scope first, so that one decision stands before the interrupt of a late alarm is taken back.
                deadline.complete();
            }
            section.close();
            guard.leave();
        }
        if (goesOn) {
            watch(deadline, served, guarded);
        } else {
            if (served != null && (deadline.isOver() || deadline.isRefused())) {
                served.dropBody(this.engine);
            }
            failure = this.conclusion.conclude(deadline, guarded, failure);
        }
        if (failure != null) {
            rethrow(failure);
        }
    }

    private static void watch(RequestDeadline deadline, @Nullable DeadlineRequest served, GuardedResponse guarded) {
        if (guarded.guard().isCommitted()) {
            // A stream whose head is out already: the deadline is met.
            deadline.complete();
        }
        if (served != null) {
            served.watchAsync();
        }
    }

    private void showError(
            RequestDeadline deadline, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        DeadlineRequest served = new DeadlineRequest(request, response, deadline, this.marks, this.lastResort, true);
        // When the time is up nothing may interrupt the error page, though its own calls are refused.
        Scope scope = deadline.scope();
        Section section = (scope.reason() != null) ? this.engine.bindShielded(scope) : DeadlineEngine.carry(scope);
        ResponseGuard guard = served.response().guard();
        guard.attend();
        try (section;
                Registration standby = this.lastResort.standByErrorPage(deadline, request, guard)) {
            chain.doFilter(served, served.response());
        } finally {
            guard.leave();
            if (!request.isAsyncStarted()) {
                guard.commit();
                guard.close();
            }
        }
    }

    // Whatever a chain throws, declared or not, is thrown on as it is.
    @SuppressWarnings("unchecked")
    private static <X extends Throwable> void rethrow(Throwable failure) throws X {
        throw (X) failure;
    }
}
