package dev.deadline.jdbc;

import dev.deadline.engine.Scope;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * The timeout of a connection's socket, behind everything else: for databases that cannot be told to stop over a network
 * that is dark, and whose driver hangs even when the connection is cut. A socket's timeout is that of each read, so it
 * has to become shorter while time goes by; as setting it costs something, that is done in steps.
 */
final class NetworkTimeout {

    private static final Log logger = LogFactory.getLog(NetworkTimeout.class);

    private static final int UNKNOWN = -1;

    private static final long SLACK_MILLIS = 20;

    private final Connection connection;

    // Once it has been asked for.
    private Connection driver;

    private boolean usable = true;

    // What there was before.
    private int original = UNKNOWN;

    // What there is; the original where nothing has been changed.
    private int present = UNKNOWN;

    NetworkTimeout(Connection connection) {
        this.connection = connection;
        this.driver = connection;
    }

    /**
     * Sees to it that a read which begins now does not end much later than it has to.
     *
     * @param patienceNanos how long after the end of the scope that is
     */
    void cover(DatabaseKind database, Scope scope, long patienceNanos) {
        if (!database.needsNetworkTimeout() || !this.usable || !scope.isBounded()) {
            return;
        }
        long nanos = scope.remaining().toNanos() + patienceNanos;
        long wanted = Math.min(Integer.MAX_VALUE, TimeUnit.NANOSECONDS.toMillis(nanos) + 1);
        boolean tooLong = isLonger(this.present, wanted + wanted / 8 + SLACK_MILLIS);
        boolean tooShort = this.present != this.original && this.present < wanted;
        if (this.present == UNKNOWN || tooLong || tooShort) {
            set((int) wanted);
        }
    }

    private void set(int wanted) {
        try {
            if (this.original == UNKNOWN) {
                this.driver = driver();
                this.original = this.driver.getNetworkTimeout();
                this.present = this.original;
            }
            int chosen = isLonger(this.original, wanted) ? wanted : this.original;
            if (chosen != this.present) {
                this.driver.setNetworkTimeout(Runnable::run, chosen);
                this.present = chosen;
            }
        } catch (SQLException | RuntimeException | AbstractMethodError ex) {
            this.usable = false;
            logger.debug("The driver has no network timeouts", ex);
        }
    }

    // That a driver has no such timeouts is none of its pool's business: HikariCP takes it for a broken connection.
    private Connection driver() throws SQLException {
        Connection own =
                this.connection.isWrapperFor(Connection.class) ? this.connection.unwrap(Connection.class) : null;
        return (own != null) ? own : this.connection;
    }

    // Zero is no limit.
    private static boolean isLonger(int millis, long than) {
        return millis == 0 || millis > than;
    }

    /** Puts back what there was. */
    void restore() {
        if (this.present == this.original) {
            return;
        }
        this.present = this.original;
        try {
            this.driver.setNetworkTimeout(Runnable::run, this.original);
        } catch (SQLException | RuntimeException ex) {
            logger.debug("A network timeout could not be put back", ex);
        }
    }
}
