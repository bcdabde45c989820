package dev.deadline.resilience4j;

import io.github.resilience4j.core.ConfigurationNotFoundException;
import io.github.resilience4j.core.Registry;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/**
 * A registry of which every look-up gives a bounded entry. The entries in it stay what they are, so that metrics, events
 * and health indicators that have got hold of them see all that happens.
 */
final class BoundedRegistry<R extends Registry<E, C>, E, C> implements InvocationHandler {

    private final R registry;

    private final EntryKind<R, E, C> kind;

    // By name, as entries are found by name for each call. An entry may be replaced; then its stand-in is too.
    private final Map<String, E> bounded = new ConcurrentHashMap<>();

    private BoundedRegistry(R registry, EntryKind<R, E, C> kind) {
        this.registry = registry;
        this.kind = kind;
    }

    /** A stand-in with the interfaces of the registry; the registry itself if it is a stand-in already. */
    @SuppressWarnings("unchecked")
    static <R extends Registry<E, C>, E, C> R of(R registry, EntryKind<R, E, C> kind) {
        if (isBounded(registry)) {
            return registry;
        }
        makeAnew(registry, kind);
        Class<?> type = registry.getClass();
        return (R) Proxy.newProxyInstance(
                type.getClassLoader(),
                ClassUtils.getAllInterfacesForClass(type),
                new BoundedRegistry<>(registry, kind));
    }

    private static boolean isBounded(Object registry) {
        return Proxy.isProxyClass(registry.getClass())
                && Proxy.getInvocationHandler(registry) instanceof BoundedRegistry;
    }

    // Not replaced: consumers that listen to the events of what is added would lose them.
    private static <R extends Registry<E, C>, E, C> void makeAnew(R registry, EntryKind<R, E, C> kind) {
        for (E entry : kind.all().apply(registry)) {
            EntryKind.Existing<C> existing = kind.existing().apply(entry);
            C config = kind.within().apply(existing.config());
            if (config != existing.config()) {
                registry.remove(existing.name());
                kind.creation().create(registry, existing.name(), config, existing.tags());
            }
        }
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        Object[] given = (arguments != null) ? arguments : new Object[0];
        if (method.getName().equals("equals") && given.length == 1) {
            return proxy == given[0];
        }
        if (isLookUp(method, given)) {
            String name = (String) given[0];
            return bounded(name, findOrCreate(name, given));
        }
        if (method.getName().equals("remove") && given.length == 1 && given[0] != null) {
            this.bounded.remove(given[0]);
        }
        for (int i = 0; i < given.length; i++) {
            given[i] = (given[i] instanceof Bounded<?> stood) ? stood.entry() : given[i];
        }
        try {
            return outward(method.invoke(this.registry, given));
        } catch (InvocationTargetException ex) {
            throw ex.getTargetException();
        }
    }

    // What lacks an argument is the registry's to complain about.
    private boolean isLookUp(Method method, Object[] given) {
        return this.kind.entry().isAssignableFrom(method.getReturnType())
                && given.length > 0
                && given[0] instanceof String
                && !Arrays.asList(given).contains(null);
    }

    private E findOrCreate(String name, Object[] arguments) {
        return this.registry.find(name).orElseGet(() -> {
            C config = this.kind.within().apply(configOf(arguments));
            return this.kind.creation().create(this.registry, name, config, tagsOf(arguments));
        });
    }

    private C configOf(Object[] arguments) {
        Object described = (arguments.length > 1) ? arguments[1] : null;
        if (described instanceof Supplier<?> supplier) {
            described = supplier.get();
        }
        if (described instanceof String name) {
            return this.registry.getConfiguration(name).orElseThrow(() -> new ConfigurationNotFoundException(name));
        }
        if (this.kind.config().isInstance(described)) {
            return this.kind.config().cast(described);
        }
        return this.registry.getDefaultConfig();
    }

    @SuppressWarnings("unchecked")
    private static Map<String, String> tagsOf(Object[] arguments) {
        return (arguments[arguments.length - 1] instanceof Map<?, ?> tags) ? (Map<String, String>) tags : Map.of();
    }

    private @Nullable Object outward(@Nullable Object result) {
        if (result instanceof Optional<?> found) {
            return found.map(this::outwardEntry);
        }
        if (result instanceof Set<?> all) {
            return all.stream().map(this::outwardEntry).collect(Collectors.toSet());
        }
        return (result != null) ? outwardEntry(result) : null;
    }

    private Object outwardEntry(Object found) {
        if (!this.kind.entry().isInstance(found)) {
            return found;
        }
        E entry = this.kind.entry().cast(found);
        return bounded(this.kind.existing().apply(entry).name(), entry);
    }

    private E bounded(String name, E entry) {
        E known = this.bounded.get(name);
        if (known instanceof Bounded<?> standing && standing.entry() == entry) {
            return known;
        }
        E made = this.kind.bounding().apply(entry);
        this.bounded.put(name, made);
        return made;
    }
}
