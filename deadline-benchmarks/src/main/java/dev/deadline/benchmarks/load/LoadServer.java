package dev.deadline.benchmarks.load;

import dev.deadline.Deadlines;
import java.io.IOException;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.Banner;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.context.WebServerApplicationContext;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;

/**
 * The application under load, in a JVM of its own. It prints its port once it listens, and ends when its standard input
 * does, so that it never outlives the lab.
 */
public final class LoadServer {

    /** What the line with the port begins with. */
    static final String READY = "Listening on ";

    private LoadServer() {}

    public static void main(String[] args) throws IOException {
        ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
                .bannerMode(Banner.Mode.OFF)
                .properties(
                        "server.port=0",
                        "server.address=127.0.0.1",
                        "server.tomcat.threads.max=16",
                        "logging.level.root=warn",
                        "spring.main.log-startup-info=false")
                .run(args);
        boolean loaded = hasDeadlines(context);
        if (loaded != context.getEnvironment().getProperty("deadline.enabled", Boolean.class, true)) {
            throw new IllegalStateException("The library is " + (loaded ? "" : "not ") + "there");
        }
        if (context.getEnvironment().getProperty("spring.threads.virtual.enabled", Boolean.class, false)
                && Runtime.version().feature() < 21) {
            throw new IllegalStateException("This JVM has no virtual threads; name another one");
        }
        // Compiled before the first request, which would otherwise take several times as long as the others.
        CpuWork.roundsPerMillisecond();
        System.out.println(
                READY + ((WebServerApplicationContext) context).getWebServer().getPort());
        while (System.in.read() >= 0) {
            // Nothing is said to it.
        }
        System.exit(0);
    }

    private static boolean hasDeadlines(ConfigurableApplicationContext context) {
        return context.getBeanProvider(Deadlines.class).getIfAvailable() != null;
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(LoadHandlers.class)
    static class Application {

        @Bean
        @ConditionalOnProperty("load.limit")
        FilterRegistrationBean<LimiterFilter> limiter(@Value("${load.limit}") String limit) {
            FilterRegistrationBean<LimiterFilter> filter = new FilterRegistrationBean<>(new LimiterFilter(limit));
            filter.setOrder(Ordered.HIGHEST_PRECEDENCE);
            return filter;
        }
    }
}
