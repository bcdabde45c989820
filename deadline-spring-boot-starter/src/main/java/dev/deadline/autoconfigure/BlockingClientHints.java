package dev.deadline.autoconfigure;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.web.client.RestClient;

/** What a native image has to keep so that blocking clients can be bounded. */
final class BlockingClientHints implements RuntimeHintsRegistrar {

    private static final List<String> READ = List.of(
            "org.springframework.web.client.DefaultRestClient",
            "org.springframework.http.client.AbstractClientHttpRequestFactoryWrapper",
            "org.springframework.http.client.HttpComponentsClientHttpRequest",
            "org.springframework.http.client.JettyClientHttpRequest",
            "org.springframework.http.client.ReactorClientHttpResponse",
            "org.springframework.http.client.SimpleClientHttpRequest");

    @Override
    @SuppressWarnings("removal")
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        hints.proxies().registerJdkProxy(RestClient.Builder.class);
        for (String name : READ) {
            hints.reflection().registerTypeIfPresent(classLoader, name, MemberCategory.DECLARED_FIELDS);
        }
    }
}
