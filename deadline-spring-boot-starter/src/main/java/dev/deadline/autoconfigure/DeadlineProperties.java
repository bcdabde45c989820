package dev.deadline.autoconfigure;

import dev.deadline.engine.InterruptPolicy;
import dev.deadline.engine.Mode;
import dev.deadline.gateway.LimitKey;
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
 * @param gateway What turns requests away before any work is done for them.
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
        @DefaultValue Resilience4j resilience4j,
        @DefaultValue Gateway gateway) {

    public DeadlineProperties {
        includePaths = PathPatterns.complete(includePaths);
        excludePaths = PathPatterns.complete(excludePaths);
    }

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
            @Nullable Duration reserve) {

        public Route {
            paths = PathPatterns.complete(paths);
        }
    }

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
     */
    public record Jdbc(@DefaultValue("true") boolean enabled) {}

    /**
     * Retries, breakers, bulkheads and limiters of Resilience4j.
     *
     * @param enabled Whether they are told of deadlines.
     * @param countClampedTimeouts Whether a breaker counts the timeout of a call that had less than its desired time.
     */
    public record Resilience4j(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("false") boolean countClampedTimeouts) {}

    /**
     * What turns requests away before any work is done for them.
     *
     * @param enabled Whether there is a gate at all. The budget starts where it does with one.
     * @param queueStamp Whether the budget of a request starts when it enters the queue of the container, where the
     *     library can tell. Not where the application has replaced the protocol or the executor.
     * @param exemptPaths Patterns of paths whose requests always get in. The health endpoint always does.
     * @param shedding What is refused when the server has more to do than it can.
     * @param priority Which requests are refused first, and which last.
     * @param rateLimit How much a single client may ask for.
     */
    public record Gateway(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("true") boolean queueStamp,
            @DefaultValue List<String> exemptPaths,
            @DefaultValue Shedding shedding,
            @DefaultValue PriorityRules priority,
            @DefaultValue RateLimit rateLimit) {

        public Gateway {
            exemptPaths = PathPatterns.complete(exemptPaths);
        }

        /**
         * What is refused when the server has more to do than it can.
         *
         * @param mode Whether requests are refused, or it is only reported which would be.
         * @param objective Time within which requests are to be answered, where that is less than their budget or they
         *     have none. By default their budget.
         */
        public record Shedding(
                @DefaultValue("observe") Mode mode,
                @Nullable Duration objective) {}

        /**
         * Which requests are refused first, and which last.
         *
         * @param header Name of a header in which trusted peers say how much a request matters.
         * @param trustedPeers Addresses and networks whose header counts.
         * @param criticalPaths Patterns of paths whose requests are refused last.
         * @param sheddablePaths Patterns of paths whose requests are refused first.
         */
        public record PriorityRules(
                @DefaultValue("X-Request-Priority") String header,
                @DefaultValue List<String> trustedPeers,
                @DefaultValue List<String> criticalPaths,
                @DefaultValue List<String> sheddablePaths) {

            public PriorityRules {
                criticalPaths = PathPatterns.complete(criticalPaths);
                sheddablePaths = PathPatterns.complete(sheddablePaths);
            }
        }

        /**
         * How much a single client may ask for.
         *
         * @param mode Whether requests beyond the limits are refused, or only reported.
         * @param rules Limits. The rule with the most specific path pattern counts, one for addresses and one for
         *     tokens. Without any there are no limits.
         * @param store Where it is kept what clients have used up: in this process, or in Redis for all instances
         *     together.
         * @param maxKeys How many clients are known at most, each counted once for each of its rules. Of more than that
         *     those are kept that come often.
         * @param ipv4Prefix How many bits of an IPv4 address tell one client from another.
         * @param ipv6Prefix How many bits of an IPv6 address tell one client from another.
         * @param tokenFilterOrder Order of the servlet filter that limits by token. Just behind Spring Security's unless
         *     set.
         * @param sharedTokenAddresses From how many addresses or networks a token has to come within ten minutes to be
         *     reported as shared.
         * @param ban Clients that go on after they have been refused many times.
         * @param redis The store that instances share.
         */
        public record RateLimit(
                @DefaultValue("enforce") Mode mode,
                @DefaultValue List<Rule> rules,
                @DefaultValue("local") Store store,
                @DefaultValue("100000") int maxKeys,
                @DefaultValue("32") int ipv4Prefix,
                @DefaultValue("64") int ipv6Prefix,
                @Nullable Integer tokenFilterOrder,
                @DefaultValue("10") int sharedTokenAddresses,
                @DefaultValue Ban ban,
                @DefaultValue Redis redis) {

            /** Where it is kept what clients have used up. */
            public enum Store {

                /** In this process. */
                LOCAL,

                /** In Redis, for all instances together. */
                REDIS
            }

            /**
             * A limit for some of the paths.
             *
             * @param paths Patterns of the paths.
             * @param key What tells one client from another: its address, before anything else is looked at, or its
             *     token, once authentication has accepted it.
             * @param limit How many requests a client may make in a period.
             * @param period Length of the period.
             * @param burst How many requests it may make at once after a pause. The limit by default.
             */
            public record Rule(
                    @DefaultValue("/**") List<String> paths,
                    @DefaultValue("address") LimitKey key,
                    @Nullable Long limit,
                    @DefaultValue("1s") Duration period,
                    @Nullable Long burst) {

                public Rule {
                    paths = PathPatterns.complete(paths);
                }
            }

            /**
             * Clients that go on after they have been refused many times.
             *
             * @param enabled Whether such a client is refused altogether for a while.
             * @param after How many refusals within a minute it takes.
             * @param first How long it is refused the first time. Each further time it is twice as long.
             * @param max How long it is refused at most.
             */
            public record Ban(
                    @DefaultValue("false") boolean enabled,
                    @DefaultValue("100") int after,
                    @DefaultValue("1m") Duration first,
                    @DefaultValue("1h") Duration max) {}

            /**
             * The store that instances share, which is the Redis that Spring Data is set up for.
             *
             * @param timeout How long a request waits for it at most. After that it is let in.
             * @param keyPrefix What the keys in it begin with.
             * @param tokenSecret Key with which tokens are hashed. The same in all instances, and needed where there is
             *     a rule for tokens.
             */
            public record Redis(
                    @DefaultValue("20ms") Duration timeout,
                    @DefaultValue("deadline:limit:") String keyPrefix,
                    @Nullable String tokenSecret) {

                /** Without the secret. */
                @Override
                public String toString() {
                    return "Redis[timeout=" + this.timeout + ", keyPrefix=" + this.keyPrefix + "]";
                }
            }
        }
    }
}
