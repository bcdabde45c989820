package dev.deadline.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.deadline.DeadlineExceededException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import javax.sql.DataSource;
import org.apache.commons.dbcp2.BasicDataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabase;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseBuilder;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseType;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

/** What stands in the place of data sources, and that no connection is decorated twice. */
@Timeout(60)
class DataSourceDecoratorTests {

    private static final String H2 = "jdbc:h2:mem:decorated;DB_CLOSE_DELAY=-1";

    private final JdbcRequests requests = new JdbcRequests();

    @AfterEach
    void close() {
        this.requests.close();
    }

    private static int layers(DataSource dataSource) throws SQLException {
        int layers = 0;
        try (Connection connection = dataSource.getConnection()) {
            Object layer = connection;
            while (Proxy.isProxyClass(layer.getClass())
                    && Proxy.getInvocationHandler(layer) instanceof GuardedConnection guarded) {
                layers++;
                layer = guarded.raw;
            }
        }
        return layers;
    }

    @Test
    void decoratesConnectionOfPoolOnce() throws SQLException {
        try (HikariDataSource pool = JdbcRequests.pool(H2, 1)) {
            HikariDataSource dataSource = this.requests.decorated(pool);

            assertThat(layers(dataSource)).isEqualTo(1);
            assertThat(layers(this.requests.decorated(dataSource))).isEqualTo(1);
        }
    }

    @Test
    void decoratesConnectionOfWrappersOnce() throws SQLException {
        DriverManagerDataSource database = new DriverManagerDataSource(H2);
        DriverManagerDataSource decorated = this.requests.decorated(database);
        AbstractRoutingDataSource router = new AbstractRoutingDataSource() {
            @Override
            protected Object determineCurrentLookupKey() {
                return 1;
            }
        };
        router.setTargetDataSources(Map.of(1, decorated));
        router.afterPropertiesSet();

        assertThat(layers(this.requests.decorated(router))).isEqualTo(1);
        assertThat(layers(this.requests.decorated(new DelegatingDataSource(decorated))))
                .isEqualTo(1);
        DriverManagerDataSource hidden = new DriverManagerDataSource(H2);
        assertThat(layers(this.requests.decorated(new DelegatingDataSource(hidden))))
                .isEqualTo(1);
    }

    @Test
    void doesNotMakeLazyConnectionConnect() throws SQLException {
        int[] connected = new int[1];
        DriverManagerDataSource database = new DriverManagerDataSource(H2) {
            @Override
            public Connection getConnection() throws SQLException {
                connected[0]++;
                return super.getConnection();
            }
        };
        LazyConnectionDataSourceProxy lazy = new LazyConnectionDataSourceProxy();
        lazy.setTargetDataSource(database);
        lazy.setDefaultAutoCommit(true);
        lazy.setDefaultTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        LazyConnectionDataSourceProxy decorated = this.requests.decorated(lazy);

        decorated.getConnection().close();
        assertThat(connected[0]).isZero();
        JdbcRequests.number(decorated, "select 1");
        assertThat(connected[0]).isEqualTo(1);
    }

    @Test
    void leavesFinalClassAloneUnlessOnlyItsInterfaceIsWanted() throws SQLException {
        JdbcConnectionPool pool = JdbcConnectionPool.create(H2, "", "");
        DataSourceDecorator decorator = new DataSourceDecorator(() -> this.requests.deadlines);

        assertThat(decorator.decorate(pool, "final", false)).isSameAs(pool);
        assertThat(layers(decorator.decorate(pool, "final", true))).isEqualTo(1);
        pool.dispose();
    }

    @Test
    void decoratesEmbeddedDatabaseWhoseClassIsPrivate() throws SQLException {
        EmbeddedDatabase database =
                new EmbeddedDatabaseBuilder().setType(EmbeddedDatabaseType.H2).build();
        EmbeddedDatabase decorated = this.requests.decorated(database);

        assertThat(layers(decorated)).isEqualTo(1);
        decorated.shutdown();
    }

    @Test
    void givesDataSourceOutUntouchedWhereThereIsNoEngineYet() throws SQLException {
        DriverManagerDataSource database = new DriverManagerDataSource(H2);

        assertThat(layers(new DataSourceDecorator(() -> null).decorate(database, "early", false)))
                .isZero();
    }

    @Test
    void unwrapsOnEveryLevel() throws SQLException {
        try (HikariDataSource pool = JdbcRequests.pool(H2, 1);
                Connection connection = this.requests.decorated(pool).getConnection();
                var statement = connection.prepareStatement("select 1");
                var results = statement.executeQuery()) {
            assertThat(connection.unwrap(org.h2.jdbc.JdbcConnection.class)).isNotNull();
            assertThat(statement.unwrap(org.h2.jdbc.JdbcPreparedStatement.class))
                    .isNotNull();
            assertThat(results.unwrap(org.h2.jdbc.JdbcResultSet.class)).isNotNull();
            assertThat(statement.getConnection()).isSameAs(connection);
            assertThat(results.getStatement()).isSameAs(statement);
            assertThat(connection.getMetaData().getConnection()).isSameAs(connection);
            assertThat(connection)
                    .isEqualTo(connection)
                    .isNotEqualTo(connection.unwrap(org.h2.jdbc.JdbcConnection.class));
        }
    }

    /** C23: a connection of unknown state goes out of the pool, whoever made that, and the pool replaces it. */
    @Test
    void givesUpConnectionsOfEveryPool() throws Exception {
        try (BasicDataSource dbcp = new BasicDataSource()) {
            dbcp.setUrl(Postgres.url());
            dbcp.setMaxTotal(1);
            assertGivenUp(this.requests.decorated(dbcp));
            assertThat(dbcp.getNumActive()).isZero();
        }
        org.apache.tomcat.jdbc.pool.DataSource tomcat = new org.apache.tomcat.jdbc.pool.DataSource();
        tomcat.setUrl(Postgres.url());
        tomcat.setDriverClassName("org.postgresql.Driver");
        tomcat.setMaxActive(1);
        tomcat.setInitialSize(1);
        assertGivenUp(this.requests.decorated(tomcat));
        assertThat(tomcat.getNumActive()).isZero();
        tomcat.close(true);
        try (HikariDataSource hikari = JdbcRequests.pool(Postgres.url(), 1)) {
            assertGivenUp(this.requests.decorated(hikari));
            assertThat(hikari.getHikariPoolMXBean().getActiveConnections()).isZero();
        }
    }

    private void assertGivenUp(DataSource dataSource) throws Exception {
        int before = JdbcRequests.number(dataSource, "select pg_backend_pid()");
        // On a busy machine the time may be up before the statement has begun, and then the connection is as it was.
        await().until(() -> {
            loopInTheDatabase(dataSource);
            return JdbcRequests.number(dataSource, "select pg_backend_pid()") != before;
        });
        try (Connection connection = TestDatabase.POSTGRESQL.connect()) {
            JdbcRequests.number(connection, "select count(pg_terminate_backend(" + before + "))");
            await().until(() ->
                    JdbcRequests.number(connection, "select count(*) from pg_stat_activity where pid = " + before)
                            == 0);
        }
    }

    private void loopInTheDatabase(DataSource dataSource) {
        assertThatExceptionOfType(DeadlineExceededException.class)
                .isThrownBy(() -> this.requests.request(Duration.ofMillis(50), scope -> {
                    try (Connection connection = dataSource.getConnection()) {
                        // Shrugs off a cancel, so that in the end the connection is cut.
                        connection
                                .createStatement()
                                .execute("do $$ begin loop begin perform pg_sleep(5); "
                                        + "exception when query_canceled then null; end; end loop; end $$");
                    }
                    return null;
                }));
    }
}
