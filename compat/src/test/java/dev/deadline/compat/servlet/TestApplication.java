package dev.deadline.compat.servlet;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletException;
import java.util.EnumSet;
import java.util.Map;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.ResponseEntity;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.filter.ShallowEtagHeaderFilter;
import org.springframework.web.servlet.config.annotation.CorsRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** An application with Spring Security, CORS, a catch-all exception handler and, if wanted, an ETag filter. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({
    Pages.class,
    AsyncPages.class,
    StepPages.class,
    ErrorPages.class,
    StuckPages.class,
    ClientPages.class,
    StreamPages.class,
    SingleWorkerPages.class,
    TestApplication.CatchAll.class
})
class TestApplication {

    static final String CALLERS_HEADER = "X-Deadline-Remaining-Ms";

    @Bean
    SecurityFilterChain security(HttpSecurity http) throws Exception {
        return http.authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
                .csrf(csrf -> csrf.disable())
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
    @ConditionalOnProperty("test.etag")
    ShallowEtagHeaderFilter etags() {
        return new ShallowEtagHeaderFilter();
    }

    @Bean
    FilterRegistrationBean<DispatchCounter> dispatchCounter() {
        FilterRegistrationBean<DispatchCounter> registration = new FilterRegistrationBean<>(new DispatchCounter());
        registration.setDispatcherTypes(EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC, DispatcherType.ERROR));
        registration.setAsyncSupported(true);
        registration.setOrder(Ordered.HIGHEST_PRECEDENCE);
        return registration;
    }

    @Bean
    RecordingListener recordingListener() {
        return new RecordingListener();
    }

    /** What many applications have, and what must not swallow a refusal. */
    @RestControllerAdvice
    @Order(0)
    static class CatchAll {

        @ExceptionHandler(Exception.class)
        ResponseEntity<Map<String, String>> anything(Exception failure) throws ServletException {
            if (failure instanceof ServletException unhandled) {
                throw unhandled;
            }
            return ResponseEntity.ok(Map.of("caught", failure.getClass().getSimpleName()));
        }
    }
}
