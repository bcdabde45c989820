package dev.deadline.compat.gateway;

import dev.deadline.DeadlineListener;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.access.intercept.AuthorizationFilter;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.servlet.config.annotation.CorsRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** An application that accepts the bearer tokens that begin with {@code good-}. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class LimitedApplication {

    private static final Pattern NEEDED = Pattern.compile(
            "dev\\.deadline|DispatcherServlet|WebMvcAuto|WebServer|HttpMessageConv|\\.security\\..*Security|SecurityFilterAuto"
                    + "|\\.(Data)?RedisAutoConfiguration");

    /** Starts it on Tomcat, on a free port. */
    static ConfigurableApplicationContext start(String... properties) {
        Stream<String> all = Stream.concat(
                Stream.of(
                        "server.port=0",
                        "spring.main.banner-mode=off",
                        "spring.autoconfigure.exclude=" + StampApplication.allBut(NEEDED),
                        "logging.level.root=warn"),
                Stream.of(properties));
        return new SpringApplicationBuilder(LimitedApplication.class)
                .initializers(context ->
                        ((GenericApplicationContext) context).registerBean("webServerFactory", Connectors.factory()))
                .run(all.map(property -> "--" + property).toArray(String[]::new));
    }

    @Bean
    SecurityFilterChain security(HttpSecurity http) throws Exception {
        return http.authorizeHttpRequests(requests -> requests.requestMatchers("/api/**")
                        .authenticated()
                        .anyRequest()
                        .permitAll())
                .csrf(csrf -> csrf.disable())
                .addFilterBefore(new BearerFilter(), AuthorizationFilter.class)
                .build();
    }

    @Bean
    WebMvcConfigurer cors() {
        return new WebMvcConfigurer() {
            @Override
            public void addCorsMappings(CorsRegistry registry) {
                registry.addMapping("/**").allowedOrigins("https://shop.example");
            }
        };
    }

    @Bean
    Heard heard() {
        return new Heard();
    }

    @RestController
    static class Limited {

        @GetMapping({"/open", "/fields", "/forged", "/browser", "/api/orders", "/api/tokens", "/api/browser"})
        String page() {
            return "served";
        }
    }

    /** What was reported. */
    static final class Heard implements DeadlineListener {

        final List<GateEvent> refused = new CopyOnWriteArrayList<>();

        final List<String> shared = new CopyOnWriteArrayList<>();

        final AtomicInteger storeFailures = new AtomicInteger();

        @Override
        public void gateRefused(GateEvent event) {
            this.refused.add(event);
        }

        @Override
        public void tokenShared(String token, int addresses) {
            this.shared.add(token);
        }

        @Override
        public void limitStoreFailed() {
            this.storeFailures.incrementAndGet();
        }
    }

    private static final class BearerFilter extends OncePerRequestFilter {

        @Override
        protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                throws ServletException, IOException {
            String header = request.getHeader("Authorization");
            String token = (header != null) ? header.strip().replaceFirst("(?i)^bearer\\s+", "") : "";
            if (token.startsWith("good-")) {
                SecurityContext context = SecurityContextHolder.createEmptyContext();
                context.setAuthentication(UsernamePasswordAuthenticationToken.authenticated("anna", token, List.of()));
                SecurityContextHolder.setContext(context);
            }
            chain.doFilter(request, response);
        }
    }
}
