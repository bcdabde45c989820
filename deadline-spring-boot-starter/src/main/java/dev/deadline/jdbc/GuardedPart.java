package dev.deadline.jdbc;

import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/** What came out of a guarded connection: a statement, results, metadata, or a large object. */
final class GuardedPart extends GuardedObject {

    private final GuardedConnection connection;

    private final @Nullable Object owner;

    private final @Nullable Statement statement;

    GuardedPart(GuardedConnection connection, Object raw, @Nullable Object owner, @Nullable Statement statement) {
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
