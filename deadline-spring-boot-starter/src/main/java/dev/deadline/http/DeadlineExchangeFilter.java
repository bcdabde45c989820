package dev.deadline.http;

import dev.deadline.engine.DeadlineEngine;
import dev.deadline.engine.Scope;
import dev.deadline.reactive.ScopeLookup;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.ExchangeFunction;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;

/**
 * Bounds the calls of a {@link WebClient} by the deadline they are made under: the step's inside a step, else the
 * request's. From the wait for a connection to the last byte of the body a call has what is left of that time; then its
 * connection is closed and the call fails with a {@link dev.deadline.DeadlineExceededException}. With less than 1 ms
 * left it is not made at all. The time left goes along in a header.
 *
 * <p>Builders that are Spring beans have it already. A client built by hand gets it with {@link #addTo}:
 *
 * <pre>{@code
 * WebClient client = WebClient.builder().apply(DeadlineExchangeFilter.create()::addTo).build();
 * }</pre>
 *
 * <p>Added as a mere filter it does the same, except that a call which is described on one thread and subscribed to on
 * another is not bounded, unless the deadline is in the Reactor context or on that thread.
 *
 * @since 0.1
 */
public final class DeadlineExchangeFilter implements ExchangeFilterFunction {

    /** The attribute of a request that is bounded already. */
    static final String BOUNDED = DeadlineExchangeFilter.class.getName() + ".bounded";

    private final CallRules rules;

    public DeadlineExchangeFilter(CallRules rules) {
        this.rules = rules;
    }

    /** A filter that sends the time left to every host. The bean of this type does what the configuration says. */
    public static DeadlineExchangeFilter create() {
        return new DeadlineExchangeFilter(CallRules.defaults());
    }

    /** Puts this filter around the others of a builder, unless the builder has one of its kind. */
    public void addTo(WebClient.Builder builder) {
        builder.filters(filters -> {
            if (filters.stream().noneMatch(DeadlineExchangeFilter.class::isInstance)) {
                filters.add(0, this);
                builder.defaultRequest(DeadlineExchangeFilter::remember);
            }
        });
    }

    // A request is described here and may be subscribed to elsewhere.
    private static void remember(WebClient.RequestHeadersSpec<?> request) {
        Scope scope = DeadlineEngine.currentScope();
        if (scope != null) {
            request.attribute(Scope.KEY, scope);
        }
    }

    @Override
    public Mono<ClientResponse> filter(ClientRequest request, ExchangeFunction next) {
        if (request.attribute(BOUNDED).isPresent()) {
            return next.exchange(request);
        }
        return Mono.deferContextual(context -> {
            Scope assembled = (Scope) request.attribute(Scope.KEY).orElse(null);
            Scope around = ScopeLookup.find(context, assembled);
            if (around == null) {
                tellOfUnboundedCall();
                return next.exchange(request);
            }
            return new BoundedExchange(request, around, this.rules).exchange(next);
        });
    }

    // Not of one that was taken out of the deadline of its thread on purpose.
    private void tellOfUnboundedCall() {
        if (DeadlineEngine.currentScope() == null) {
            this.rules.listener().unboundedCall("webclient");
        }
    }
}
