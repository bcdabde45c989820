package dev.deadline.autoconfigure;

import dev.deadline.engine.DeadlineEngine;
import dev.deadline.jdbc.JdbcDeadlines;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;

/**
 * Calls of JDBC data sources.
 *
 * @since 0.1
 */
@AutoConfiguration
@ConditionalOnDeadlineEnabled
@ConditionalOnClass(DataSource.class)
@ConditionalOnProperty(name = "deadline.jdbc.enabled", matchIfMissing = true)
public final class DeadlineJdbcAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    JdbcDeadlines deadlineJdbcDeadlines(DeadlineEngine engine) {
        return new JdbcDeadlines(engine);
    }

    @Bean
    static DataSourcePostProcessor deadlineDataSourcePostProcessor(ObjectProvider<JdbcDeadlines> deadlines) {
        return new DataSourcePostProcessor(deadlines);
    }
}
