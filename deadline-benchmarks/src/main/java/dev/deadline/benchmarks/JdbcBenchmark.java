package dev.deadline.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import dev.deadline.Deadlines;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * What calls of a database in memory cost on a plain pool and under a deadline: the difference is the price, and a
 * real database adds the same to much longer calls.
 *
 * <pre>
 * java -jar deadline-benchmarks/target/benchmarks.jar JdbcBenchmark
 * </pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 10, time = 1)
public class JdbcBenchmark {

    private static final int ROWS = 1000;

    @Param({"false", "true"})
    public boolean bounded;

    private ConfigurableApplicationContext context;

    private DataSource dataSource;

    private Deadlines.Started budget;

    private Connection connection;

    private PreparedStatement statement;

    private PreparedStatement rows;

    @Setup(Level.Trial)
    public void start() throws SQLException {
        this.context = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .run("--deadline.jdbc.enabled=" + this.bounded, "--spring.main.banner-mode=off");
        this.dataSource = this.context.getBean(DataSource.class);
        this.budget = this.context.getBean(Deadlines.class).start(Duration.ofHours(1));
        this.connection = this.dataSource.getConnection();
        this.statement = this.connection.prepareStatement("set @x = 1");
        this.rows = this.connection.prepareStatement("select x from system_range(1, " + ROWS + ")");
    }

    @TearDown(Level.Trial)
    public void stop() throws SQLException {
        this.connection.close();
        this.budget.close();
        this.context.close();
    }

    /** One call. */
    @Benchmark
    public int update() throws SQLException {
        return this.statement.executeUpdate();
    }

    /** A call, a thousand rows, two calls a row. */
    @Benchmark
    public long rows() throws SQLException {
        long sum = 0;
        try (ResultSet results = this.rows.executeQuery()) {
            while (results.next()) {
                sum += results.getLong(1);
            }
        }
        return sum;
    }

    /** A connection from the pool and back. */
    @Benchmark
    public void borrow() throws SQLException {
        this.dataSource.getConnection().close();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        HikariDataSource pool() {
            HikariDataSource pool = new HikariDataSource();
            pool.setJdbcUrl("jdbc:h2:mem:benchmark");
            return pool;
        }
    }
}
