package dev.deadline.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.deadline.StepFailedException;
import dev.deadline.engine.RealEngine;
import dev.deadline.reactive.DeferredMono;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.ConnectionFactory;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** R2DBC needs nothing of ours: cancelling its publisher is enough. */
@Timeout(60)
class R2dbcTests {

    @Test
    void stepCancelsStreamOfRowsAndGivesItsConnectionBack() {
        ConnectionFactory database = ConnectionFactories.get("r2dbc:h2:mem:///reactive?options=DB_CLOSE_DELAY=-1");
        // Loads the driver, which takes longer than the step has.
        Mono.usingWhen(database.create(), R2dbcTests::one, Connection::close).block();
        AtomicInteger closed = new AtomicInteger();
        AtomicInteger rows = new AtomicInteger();
        Mono<Integer> work = Mono.usingWhen(
                database.create(),
                connection -> slowRows(connection)
                        .doOnNext(row -> rows.incrementAndGet())
                        .last(),
                connection -> Mono.from(connection.close()).doFinally(signal -> closed.incrementAndGet()));
        try (RealEngine engine = new RealEngine()) {
            Mono<Integer> step = engine.steps(new DeferredMono())
                    .closed("rows")
                    .timeout(Duration.ofMillis(500))
                    .call(() -> work.subscribeOn(Schedulers.boundedElastic()));

            assertThatExceptionOfType(StepFailedException.class).isThrownBy(step::block);
        }

        await().until(() -> closed.get() == 1);
        int seen = rows.get();
        assertThat(seen).isPositive();
        assertThat(Mono.usingWhen(database.create(), R2dbcTests::one, Connection::close)
                        .block())
                .isEqualTo(1);
        assertThat(rows).hasValue(seen);
    }

    private static Flux<Integer> slowRows(Connection connection) {
        return Flux.from(connection
                        .createStatement("select x from system_range(1, 100000)")
                        .execute())
                .concatMap(result -> result.map((row, metaData) -> ((Number) row.get(0)).intValue()))
                .concatMap(row -> Mono.just(row).delayElement(Duration.ofMillis(5)), 1);
    }

    private static Mono<Integer> one(Connection connection) {
        return Mono.from(connection.createStatement("select 1").execute())
                .flatMap(result -> Mono.from(result.map((row, metaData) -> row.get(0, Integer.class))));
    }
}
