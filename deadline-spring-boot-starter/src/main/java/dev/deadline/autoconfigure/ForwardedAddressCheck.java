package dev.deadline.autoconfigure;

import java.util.Locale;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.cloud.CloudPlatform;
import org.springframework.core.env.Environment;

/** Looks whose word counts for the address of a client behind a proxy. */
final class ForwardedAddressCheck {

    private static final Log logger = LogFactory.getLog(ForwardedAddressCheck.class);

    private ForwardedAddressCheck() {}

    /** Warns if forwarded addresses do not count, or count whoever sends them. */
    static void warn(Environment environment, ConfigurableListableBeanFactory beanFactory) {
        switch (strategy(environment)) {
            case "framework" ->
                logger.warn("server.forward-headers-strategy is 'framework', with which forwarded "
                        + "addresses are believed whoever sends them, so that rate limits go by the address of the "
                        + "connection and all clients of a proxy are one. Set it to 'native', with which Tomcat believes "
                        + "its trusted proxies only.");
            case "native" -> {
                if (isOtherThanTomcat(beanFactory)) {
                    logger.warn("server.forward-headers-strategy is 'native', with which this container believes the "
                            + "first of the forwarded addresses whoever sends it, so that clients can make up "
                            + "addresses that rate limits go by. Let the proxy replace X-Forwarded-For and Forwarded "
                            + "instead of adding to them, and let nobody get past it, or use Tomcat.");
                }
            }
            default -> {}
        }
    }

    // As Spring Boot decides it.
    private static String strategy(Environment environment) {
        String configured = environment.getProperty("server.forward-headers-strategy");
        if (configured != null) {
            return configured.strip().toLowerCase(Locale.ROOT);
        }
        CloudPlatform platform = CloudPlatform.getActive(environment);
        return (platform != null && platform.isUsingForwardHeaders()) ? "native" : "none";
    }

    // By names, as the types are others on each line of Boot, and missing where a container is not embedded.
    private static boolean isOtherThanTomcat(ConfigurableListableBeanFactory beanFactory) {
        for (String name : beanFactory.getBeanDefinitionNames()) {
            @Nullable Class<?> type = name.endsWith("erverFactory") ? beanFactory.getType(name, false) : null;
            String simple = (type != null) ? type.getSimpleName() : "";
            if (simple.startsWith("Jetty") || simple.startsWith("Undertow")) {
                return true;
            }
        }
        return false;
    }
}
