package dev.deadline.compat.webclient;

import io.netty.resolver.AddressResolver;
import io.netty.resolver.AddressResolverGroup;
import io.netty.resolver.InetNameResolver;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Promise;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;

/** A name server that is silent. */
public final class SilentResolver extends AddressResolverGroup<InetSocketAddress> {

    @Override
    protected AddressResolver<InetSocketAddress> newResolver(EventExecutor executor) {
        return new InetNameResolver(executor) {
            @Override
            protected void doResolve(String name, Promise<InetAddress> promise) {
                // Never answers.
            }

            @Override
            protected void doResolveAll(String name, Promise<List<InetAddress>> promise) {
                // Never answers.
            }
        }.asAddressResolver();
    }
}
