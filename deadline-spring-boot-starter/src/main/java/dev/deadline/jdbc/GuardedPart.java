package dev.deadline.jdbc;

import java.sql.Statement;
import java.sql.Wrapper;
import org.jspecify.annotations.Nullable;

/** What came out of a guarded connection: a statement, results, or metadata. */
final class GuardedPart extends GuardedObject {

    private final GuardedConnection connection;

    private final @Nullable Object owner;

    private final @Nullable Statement statement;

    GuardedPart(GuardedConnection connection, Wrapper raw, @Nullable Object owner, @Nullable Statement statement) {
        super(raw);
        this.connection = connection;
        this.owner = owner;
        this.statement = statement;
    }

    @Override
    GuardedConnection connection() {
        return this.connection;
    }

    @Override
    @Nullable
    Object owner() {
        return this.owner;
    }

    @Override
    @Nullable
    Statement statement() {
        return this.statement;
    }
}
