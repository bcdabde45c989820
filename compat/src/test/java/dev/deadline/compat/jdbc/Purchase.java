package dev.deadline.compat.jdbc;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/** A row. */
@Entity
class Purchase {

    @Id
    private int id;

    protected Purchase() {}

    Purchase(int id) {
        this.id = id;
    }

    int id() {
        return this.id;
    }
}
