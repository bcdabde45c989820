package dev.deadline.compat.gateway;

import jakarta.servlet.Filter;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.Ordered;

/** An application whose pages say how long their requests were in the queue. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import(StampPages.class)
class StampApplication {

    private static final Pattern NEEDED = Pattern.compile(
            "dev\\.deadline|DispatcherServlet|WebMvcAuto|WebServer|HttpMessageConv|TomcatMetrics|\\.MetricsAuto|CompositeMeter|SimpleMetrics");

    /** Starts it on Tomcat, on a free port. */
    static ConfigurableApplicationContext start(
            ApplicationContextInitializer<GenericApplicationContext> additions, String... properties) {
        Stream<String> defaults = Stream.of(
                "server.port=0",
                "spring.main.banner-mode=off",
                "spring.main.lazy-initialization=true",
                "spring.autoconfigure.exclude=" + allBut(NEEDED),
                "logging.level.root=warn");
        return new SpringApplicationBuilder(StampApplication.class)
                .initializers(context -> {
                    GenericApplicationContext generic = (GenericApplicationContext) context;
                    additions.initialize(generic);
                    if (!generic.containsBeanDefinition("webServerFactory")) {
                        generic.registerBean("webServerFactory", Connectors.factory());
                    }
                })
                .run(Stream.concat(defaults, Stream.of(properties))
                        .map(property -> "--" + property)
                        .toArray(String[]::new));
    }

    /** Most of what is on the class path has nothing to do with a test, and takes its time to start. */
    static String allBut(Pattern needed) {
        return StreamSupport.stream(
                        ImportCandidates.load(AutoConfiguration.class, StampApplication.class.getClassLoader())
                                .spliterator(),
                        false)
                .filter(name -> !needed.matcher(name).find())
                .collect(Collectors.joining(","));
    }

    static int port(ConfigurableApplicationContext context) {
        return context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
    }

    /** Answers in front of everything, so that nobody takes the stamp. */
    @Bean
    FilterRegistrationBean<Filter> outermost() {
        FilterRegistrationBean<Filter> registration = new FilterRegistrationBean<>(
                (request, response, chain) -> response.getWriter().print("outermost"));
        registration.addUrlPatterns("/outermost");
        registration.setOrder(Ordered.HIGHEST_PRECEDENCE);
        return registration;
    }
}
