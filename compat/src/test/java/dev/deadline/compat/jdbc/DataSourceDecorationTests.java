package dev.deadline.compat.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.zaxxer.hikari.HikariDataSource;
import dev.deadline.DeadlineExceededException;
import dev.deadline.Deadlines;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.Connection;
import java.time.Duration;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.springframework.aop.support.AopUtils;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;

/** C76: decorating data sources breaks nothing that an application does with them. */
class DataSourceDecorationTests {

    @Test
    void startsWithPoolsAndWrappersOfItsOwn() throws Exception {
        try (ConfigurableApplicationContext application =
                DatabaseApplication.start(Several.class, "spring.main.web-application-type=none")) {
            HikariDataSource pool = application.getBean("pool", HikariDataSource.class);
            assertThat(application.getBean(WantsPool.class).pool()).isSameAs(pool);
            assertThat(AopUtils.getTargetClass(pool)).isEqualTo(HikariDataSource.class);
            assertThat(pool.unwrap(HikariDataSource.class).getPoolName()).isEqualTo("first");

            for (String name : new String[] {"pool", "second", "wrapper", "lazy"}) {
                assertBounded(application, application.getBean(name, DataSource.class));
            }
            try (Connection connection = pool.getConnection()) {
                assertThat(connection.unwrap(org.h2.jdbc.JdbcConnection.class)).isNotNull();
                assertThat(connection.isWrapperFor(org.h2.jdbc.JdbcConnection.class))
                        .isTrue();
                assertThat(connection.createStatement().getConnection()).isSameAs(connection);
                MeterRegistry registry = application.getBean(MeterRegistry.class);
                assertThat(registry.get("jdbc.connections.active")
                                .tag("name", "pool")
                                .gauge()
                                .value())
                        .isEqualTo(1);
                assertThat(registry.get("hikaricp.connections.active")
                                .tag("pool", "first")
                                .gauge()
                                .value())
                        .isEqualTo(1);
            }
        }
    }

    @Test
    void touchesNothingWhereItIsSwitchedOff() throws Exception {
        try (ConfigurableApplicationContext application = DatabaseApplication.start(
                Several.class, "spring.main.web-application-type=none", "deadline.jdbc.enabled=false")) {
            assertThat(application.getBean("pool")).isExactlyInstanceOf(HikariDataSource.class);
            assertThat(application.getBean("second")).isExactlyInstanceOf(JdbcDataSource.class);
        }
    }

    private static void assertBounded(ConfigurableApplicationContext application, DataSource dataSource) {
        JdbcTemplate template = new JdbcTemplate(dataSource);
        assertThat(template.queryForObject("select 1", Integer.class)).isEqualTo(1);
        try (Deadlines.Started budget = application.getBean(Deadlines.class).start(Duration.ofMillis(100))) {
            assertThatExceptionOfType(DeadlineExceededException.class)
                    .isThrownBy(() -> template.queryForObject(Shop.SLOW, Integer.class));
        }
    }

    record WantsPool(HikariDataSource pool) {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Several {

        @Bean
        @Primary
        HikariDataSource pool() {
            HikariDataSource pool = new HikariDataSource();
            pool.setJdbcUrl("jdbc:h2:mem:first");
            pool.setPoolName("first");
            return pool;
        }

        @Bean
        DataSource second() {
            JdbcDataSource database = new JdbcDataSource();
            database.setUrl("jdbc:h2:mem:second;DB_CLOSE_DELAY=-1");
            return database;
        }

        @Bean
        DataSource wrapper(HikariDataSource pool) {
            return new DelegatingDataSource(pool);
        }

        @Bean
        DataSource lazy() {
            JdbcDataSource database = new JdbcDataSource();
            database.setUrl("jdbc:h2:mem:third;DB_CLOSE_DELAY=-1");
            return new LazyConnectionDataSourceProxy(database);
        }

        @Bean
        WantsPool wantsPool(HikariDataSource pool) {
            return new WantsPool(pool);
        }
    }
}
