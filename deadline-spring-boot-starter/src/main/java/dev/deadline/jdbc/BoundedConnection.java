package dev.deadline.jdbc;

import java.sql.Connection;

/** Marks a connection whose calls are bounded, so that none is decorated twice. */
interface BoundedConnection extends Connection {}
