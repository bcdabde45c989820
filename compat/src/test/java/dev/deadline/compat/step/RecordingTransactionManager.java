package dev.deadline.compat.step;

import dev.deadline.Deadline;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;

/** Transactions of nothing, which tell what was done to them. */
class RecordingTransactionManager extends AbstractPlatformTransactionManager {

    final List<String> events = new CopyOnWriteArrayList<>();

    volatile Duration deadlineAtCommit = Duration.ZERO;

    @Override
    protected Object doGetTransaction() {
        return new Object();
    }

    @Override
    protected void doBegin(Object transaction, TransactionDefinition definition) {
        record("begin");
    }

    @Override
    protected void doCommit(DefaultTransactionStatus status) {
        record("commit");
        this.deadlineAtCommit = Deadline.current().remaining();
    }

    @Override
    protected void doRollback(DefaultTransactionStatus status) {
        record("rollback");
    }

    private void record(String event) {
        this.events.add(event + " on " + Thread.currentThread().getName());
    }
}
