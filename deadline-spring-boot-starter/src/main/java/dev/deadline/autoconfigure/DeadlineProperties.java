package dev.deadline.autoconfigure;

import dev.deadline.engine.InterruptPolicy;
import dev.deadline.engine.Mode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings of the library.
 *
 * @param enabled Whether the library is active. Where it is not, an application runs as if it were not there.
 * @param mode Whether work is cut or only watched. Enforce by default, observe while a debugger is attached.
 * @param budget Time that a request may take. Without it requests are not limited, and steps only by their own timeouts.
 * @param reserve Part of the budget that ordinary steps never get. Pays for essential steps and for the answer.
 * @param answerMargin Last part of the budget, which nobody may spend, so that the answer is written inside it.
 * @param interrupt Where a thread whose time is up may be interrupted.
 * @param includePaths Patterns of the paths whose requests have the budget.
 * @param excludePaths Patterns of further paths whose requests have none. Wins over include-paths and routes.
 * @param routes Budgets for some of the paths. The most specific pattern wins.
 * @param steps Settings of single steps by name. They win over what is declared in code.
 * @param filter Servlet filter that starts the budget.
 * @param response What degraded and refused responses look like.
 * @param propagation How time limits travel between services.
 * @param watchdog Thread that watches the deadlines, and its helpers.
 * @param clientAbort Clients that go away while their request is worked on.
 * @param http Outbound HTTP calls.
 * @param jdbc Databases.
 * @param resilience4j Retries, breakers, bulkheads and limiters of Resilience4j.
 */
@ConfigurationProperties("deadline")
public record DeadlineProperties(
        @DefaultValue("true") boolean enabled,
        @Nullable Mode mode,
        @Nullable Duration budget,
        @DefaultValue("0ms") Duration reserve,
        @DefaultValue("20ms") Duration answerMargin,
        @DefaultValue("steps") InterruptPolicy interrupt,
        @DefaultValue("/**") List<String> includePaths,
        @DefaultValue List<String> excludePaths,
        @DefaultValue List<Route> routes,
        @DefaultValue Map<String, StepProperties> steps,
        @DefaultValue Filter filter,
        @DefaultValue Response response,
        @DefaultValue Propagation propagation,
        @DefaultValue Watchdog watchdog,
        @DefaultValue ClientAbort clientAbort,
        @DefaultValue Http http,
        @DefaultValue Jdbc jdbc,
        @DefaultValue Resilience4j resilience4j) {

    /**
     * A budget for some of the paths.
     *
     * @param paths Patterns of the paths.
     * @param methods HTTP methods it is for. All by default.
     * @param budget Time that such a request may take. The general budget by default.
     * @param reserve Part of it that ordinary steps never get. The general reserve by default.
     */
    public record Route(
            @DefaultValue List<String> paths,
            @DefaultValue Set<String> methods,
            @Nullable Duration budget,
            @Nullable Duration reserve) {}

    /**
     * Settings of one step.
     *
     * @param timeout Longest time the step may take.
     * @param reserve What it leaves of the request's time, instead of the request's reserve.
     * @param minimum Least time with which it is started.
     * @param mode Whether it is cut or only watched. That of the request by default.
     */
    public record StepProperties(
            @Nullable Duration timeout,
            @Nullable Duration reserve,
            @Nullable Duration minimum,
            @Nullable Mode mode) {}

    /**
     * The servlet filter.
     *
     * @param order Order of the filter, whose place is just inside the server's observation filter and before security.
     */
    public record Filter(@DefaultValue("-2147483646") int order) {}

    /**
     * What degraded and refused responses look like.
     *
     * @param header Name of the header that names degraded steps.
     * @param status Status of a request that was refused for lack of time: 503 or 504.
     * @param retryAfter What refused clients are told to wait. Sent in whole seconds, rounded up, at least 1.
     * @param serverTiming Whether to send the duration of each step in a Server-Timing header.
     */
    public record Response(
            @DefaultValue("X-Degraded") String header,
            @DefaultValue("503") int status,
            @DefaultValue("5s") Duration retryAfter,
            @DefaultValue("false") boolean serverTiming) {}

    /**
     * How time limits travel between services.
     *
     * @param inbound What callers may ask for.
     * @param outbound What is sent along with outbound calls.
     * @param taskExecutors Whether the executors that Spring Boot configures carry deadlines to their tasks.
     */
    public record Propagation(
            @DefaultValue Inbound inbound,
            @DefaultValue Outbound outbound,
            @DefaultValue("true") boolean taskExecutors) {

        /**
         * What callers may ask for.
         *
         * @param enabled Whether the remaining time that a caller sends shortens the budget.
         * @param trustedPeers Addresses and networks whose header counts.
         */
        public record Inbound(
                @DefaultValue("true") boolean enabled,

                @DefaultValue({
                    "127.0.0.0/8",
                    "::1/128",
                    "10.0.0.0/8",
                    "172.16.0.0/12",
                    "192.168.0.0/16",
                    "169.254.0.0/16",
                    "fc00::/7",
                    "fe80::/10"
                })
                List<String> trustedPeers) {}

        /**
         * What is sent along with outbound calls.
         *
         * @param enabled Whether the remaining time is sent.
         * @param hosts Hosts it is sent to; '*.example.org' stands for all in a domain. All by default.
         */
        public record Outbound(
                @DefaultValue("true") boolean enabled,
                @DefaultValue List<String> hosts) {}
    }

    /**
     * The watchdog.
     *
     * @param grace How long work that was told to stop may go on before the library answers in its place, or closes
     *     the connection it uses.
     * @param hookThreads How many cancel hooks may run at once.
     */
    public record Watchdog(
            @DefaultValue("150ms") Duration grace,
            @DefaultValue("16") int hookThreads) {}

    /**
     * Clients that go away while their request is worked on.
     *
     * @param detect Whether to look for them, where the container allows it. A client that only closes its sending
     *     side, and still reads, seems to have gone away too.
     */
    public record ClientAbort(@DefaultValue("true") boolean detect) {}

    /**
     * Outbound HTTP calls.
     *
     * @param enabled Whether the calls of HTTP clients are bounded.
     */
    public record Http(@DefaultValue("true") boolean enabled) {}

    /**
     * Databases.
     *
     * @param enabled Whether the calls of data sources are bounded.
     * @param cancelThreads How many statements may be being cancelled at once.
     */
    public record Jdbc(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("16") int cancelThreads) {}

    /**
     * Retries, breakers, bulkheads and limiters of Resilience4j.
     *
     * @param enabled Whether they are told of deadlines.
     * @param countClampedTimeouts Whether a breaker counts the timeout of a call that had less than its desired time.
     */
    public record Resilience4j(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("false") boolean countClampedTimeouts) {}
}
