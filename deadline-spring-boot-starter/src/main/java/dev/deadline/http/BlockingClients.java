package dev.deadline.http;

import java.lang.reflect.Proxy;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.client.AbstractClientHttpRequestFactoryWrapper;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;

/**
 * Bounds the calls of {@link RestClient} and {@link RestTemplate}, and of the interfaces implemented with them, by the
 * deadline they are made under: the step's inside a step, else the request's. From the wait for a connection to the last
 * byte of the body each attempt has what is left of that time; then its connection is closed and the call fails with a
 * {@link dev.deadline.DeadlineExceededException}. With less than 1 ms left it is not made at all. The time left goes
 * along in a header. The client's own timeouts hold as they are where they are shorter.
 *
 * <p>Clients and builders that are Spring beans have it already. A client built by hand gets it with
 * {@link #bound(ClientHttpRequestFactory)}:
 *
 * <pre>{@code
 * RestClient client = RestClient.builder()
 *         .requestFactory(BlockingClients.create().bound(new JdkClientHttpRequestFactory()))
 *         .build();
 * }</pre>
 *
 * <p>All methods may be called again for what is bounded already, and then have no effect.
 *
 * @since 0.1
 */
public final class BlockingClients {

    private static final PrivateField<ClientHttpRequestFactory> FACTORY =
            new PrivateField<>(ClientHttpRequestFactory.class);

    private final CallRules rules;

    public BlockingClients(CallRules rules) {
        this.rules = rules;
    }

    /** Bounds clients by hand; sends the time left to every host. The bean of this type does as it is configured. */
    public static BlockingClients create() {
        return new BlockingClients(CallRules.defaults());
    }

    /**
     * A factory whose requests are bounded. Where the factory given wraps another one, so that calls pass through
     * interceptors or a buffer, that other one is replaced in it.
     */
    public ClientHttpRequestFactory bound(ClientHttpRequestFactory factory) {
        if (factory instanceof DeadlineRequestFactory || FactoryStandIn.isOne(factory)) {
            return factory;
        }
        if (factory instanceof AbstractClientHttpRequestFactoryWrapper wrapper) {
            ClientHttpRequestFactory inner = wrapper.getDelegate();
            ClientHttpRequestFactory bound = bound(inner);
            if (bound == inner || FACTORY.replace(AbstractClientHttpRequestFactoryWrapper.class, wrapper, bound)) {
                return factory;
            }
        }
        return new DeadlineRequestFactory(factory, this.rules);
    }

    /** A client like the one given whose calls are bounded; the same if they are, or if it is not one of Spring's. */
    public RestClient bound(RestClient client) {
        ClientHttpRequestFactory used = factoryOf(client);
        if (used == null) {
            return client;
        }
        ClientHttpRequestFactory bound = bound(used);
        return (bound == used) ? client : client.mutate().requestFactory(bound).build();
    }

    private static @Nullable ClientHttpRequestFactory factoryOf(RestClient client) {
        boolean springs = client.getClass().getName().equals("org.springframework.web.client.DefaultRestClient");
        return springs ? FACTORY.in(client) : null;
    }

    /** A builder whose clients are bounded, whatever becomes of its request factory before they are built. */
    public RestClient.Builder bound(RestClient.Builder builder) {
        if (BoundedBuilder.isOne(builder)) {
            return builder;
        }
        Class<?>[] types = {RestClient.Builder.class};
        return (RestClient.Builder) Proxy.newProxyInstance(
                RestClient.Builder.class.getClassLoader(), types, new BoundedBuilder(builder, this));
    }

    /** Bounds the request factory that a builder has now, or would choose: for builders that cannot be exchanged. */
    public void bind(RestClient.Builder builder) {
        ClientHttpRequestFactory used = factoryOf(builder.clone().build());
        if (used != null) {
            builder.requestFactory(bound(used));
        }
    }

    /**
     * Bounds the calls of a template. The request factory that it gives out can still be cast to the class of Spring's
     * that it was of.
     */
    public void bind(RestTemplate template) {
        // With interceptors it gives out a factory that has them already.
        List<ClientHttpRequestInterceptor> interceptors = List.copyOf(template.getInterceptors());
        template.setInterceptors(List.of());
        ClientHttpRequestFactory used = template.getRequestFactory();
        ClientHttpRequestFactory bound = bound(used);
        if (bound != used) {
            template.setRequestFactory(FactoryStandIn.of(used, bound));
        }
        template.setInterceptors(interceptors);
    }
}
