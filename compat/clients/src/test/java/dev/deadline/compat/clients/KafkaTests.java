package dev.deadline.compat.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** With a broker that says nothing, so that nothing can be said about records that were sent already. */
class KafkaTests {

    @ParameterizedTest
    @MethodSource("dev.deadline.compat.clients.Threads#available")
    void sendEndsByTheInterrupt(Threads threads) throws Exception {
        try (SilentServer broker = new SilentServer()) {
            KafkaProducer<String, String> producer = new KafkaProducer<>(
                    Map.of(
                            "bootstrap.servers", "localhost:" + broker.port(),
                            "max.block.ms", 20_000,
                            // What closing the producer waits for.
                            "request.timeout.ms", 500,
                            "delivery.timeout.ms", 500),
                    new StringSerializer(),
                    new StringSerializer());
            CutCall.of(threads, () -> producer.send(new ProducerRecord<>("topic", "value")))
                    .assertBackAtTheDeadline();
            // The producer's own thread holds the connection, which is not of this call.
            assertThat(broker.closed()).isZero();
            producer.close(Duration.ZERO);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.deadline.compat.clients.Threads#available")
    void pollEndsByTheInterruptAndCanBeRepeated(Threads threads) throws Exception {
        try (SilentServer broker = new SilentServer()) {
            KafkaConsumer<String, String> consumer = new KafkaConsumer<>(
                    Map.of("bootstrap.servers", "localhost:" + broker.port(), "group.id", "group"),
                    new StringDeserializer(),
                    new StringDeserializer());
            consumer.subscribe(List.of("topic"));
            CutCall.of(threads, () -> consumer.poll(Duration.ofSeconds(20)).count())
                    .assertBackAtTheDeadline();
            assertThat(CutCall.on(
                            threads, () -> consumer.poll(Duration.ofMillis(50)).count()))
                    .isZero();
            consumer.close(Duration.ZERO);
        }
    }
}
