package dev.deadline.compat.jdbc;

import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;

/** A web application with a database in its memory, JDBC and JPA. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@AutoConfigurationPackage
@Import({DatabasePages.class, Shop.class})
class DatabaseApplication {

    static ConfigurableApplicationContext start(String... properties) {
        return start(DatabaseApplication.class, properties);
    }

    static ConfigurableApplicationContext start(Class<?> configuration, String... properties) {
        List<String> arguments = new ArrayList<>();
        for (String property : properties) {
            arguments.add("--" + property);
        }
        return new SpringApplicationBuilder(configuration)
                .run(withDefaults(arguments).toArray(String[]::new));
    }

    private static List<String> withDefaults(List<String> arguments) {
        List<String> all = new ArrayList<>(List.of(
                "--spring.autoconfigure.exclude=",
                "--management.health.redis.enabled=false",
                "--spring.main.banner-mode=off",
                "--server.port=0",
                "--spring.datasource.generate-unique-name=true",
                "--spring.datasource.hikari.maximum-pool-size=2",
                "--spring.jpa.hibernate.ddl-auto=create",
                "--spring.jpa.open-in-view=false"));
        all.addAll(arguments);
        return all;
    }

    @Bean
    SecurityFilterChain security(HttpSecurity http) throws Exception {
        return http.authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
                .csrf(csrf -> csrf.disable())
                .build();
    }
}
