package dev.deadline.compat.jdbc;

import dev.deadline.Deadline;
import dev.deadline.OnTimeout;
import dev.deadline.Step;
import jakarta.persistence.EntityManager;
import java.util.Optional;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** What applications do with databases. */
@Service
class Shop {

    static final String SLOW = "select count(*) from system_range(1, 300000000) where mod(x, 7) = 8";

    private final JdbcTemplate template;

    private final JdbcClient client;

    private final EntityManager entities;

    private final Deadline deadline;

    Shop(JdbcTemplate template, JdbcClient client, EntityManager entities, Deadline deadline) {
        this.template = template;
        this.client = client;
        this.entities = entities;
        this.deadline = deadline;
    }

    Integer byTemplate() {
        return this.template.queryForObject(SLOW, Integer.class);
    }

    Integer byClient() {
        return this.client.sql(SLOW).query(Integer.class).single();
    }

    @Transactional
    public Object byJpa() {
        this.entities.persist(new Purchase(1));
        this.entities.flush();
        return this.entities.createNativeQuery(SLOW).getSingleResult();
    }

    @Transactional
    public void twoUpdatesByJdbc() {
        this.template.update("insert into purchase (id) values (1)");
        waitForTheEnd();
        this.template.update("insert into purchase (id) values (2)");
    }

    @Transactional
    public void twoUpdatesByJpa() {
        this.entities.persist(new Purchase(1));
        this.entities.flush();
        waitForTheEnd();
        this.entities.persist(new Purchase(2));
        this.entities.flush();
    }

    @Transactional
    public void commitTooLate() {
        this.entities.persist(new Purchase(1));
        this.entities.flush();
        waitForTheEnd();
    }

    /** Goes on after it was stopped, and tries to write. */
    @Step(name = "stubborn", onTimeout = OnTimeout.OPEN, timeout = "200ms", interrupt = false)
    public Optional<Integer> stubborn() {
        try {
            this.template.queryForObject(SLOW, Integer.class);
        } catch (DataAccessException | IllegalStateException ex) {
            // Not reached: what is thrown is neither.
        } catch (RuntimeException ex) {
            this.template.update("insert into purchase (id) values (31)");
        }
        return Optional.of(31);
    }

    int count() {
        return this.client
                .sql("select count(*) from purchase")
                .query(Integer.class)
                .single();
    }

    private void waitForTheEnd() {
        while (!this.deadline.isExpired()) {
            Thread.onSpinWait();
        }
    }
}
