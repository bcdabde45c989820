package dev.deadline.autoconfigure;

import dev.deadline.resilience4j.BoundedRegistries;
import io.github.resilience4j.core.Registry;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/** What a native image has to keep so that registries can be bounded. */
final class RegistryHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        BoundedRegistries.TYPES.forEach(type -> hints.proxies().registerJdkProxy(type, Registry.class));
    }
}
