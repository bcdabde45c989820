package dev.deadline.autoconfigure;

import dev.deadline.gateway.StampingProtocol;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/** What a native image has to keep so that Tomcat can make the protocol by its name, and set its properties. */
final class TomcatHints implements RuntimeHintsRegistrar {

    private static final String FACTORY = "org.springframework.boot.web.embedded.tomcat.TomcatServletWebServerFactory";

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        hints.reflection()
                .registerType(
                        StampingProtocol.class,
                        MemberCategory.INVOKE_PUBLIC_CONSTRUCTORS,
                        MemberCategory.INVOKE_PUBLIC_METHODS)
                .registerTypeIfPresent(classLoader, FACTORY, type -> type.withField(Boot3TomcatCustomizer.PROTOCOL));
    }
}
