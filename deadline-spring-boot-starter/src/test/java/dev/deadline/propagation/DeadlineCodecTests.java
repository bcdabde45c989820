package dev.deadline.propagation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** C72: headers may hold anything. */
class DeadlineCodecTests {

    private final DeadlineCodec millis = new RemainingMillisCodec(RemainingMillisCodec.HEADER);

    private final DeadlineCodec grpc = new GrpcTimeoutCodec();

    @ParameterizedTest
    @CsvSource({"1500,1500000000", "0,0", "-0,0", "-1,-1000000", "007,7000000"})
    void readsMilliseconds(String value, long nanos) {
        assertThat(this.millis.decode(value)).isEqualTo(nanos);
    }

    @ParameterizedTest
    @ValueSource(strings = {"9223372036854775807", "9223372036854775808", "9999999999999999999999999"})
    void takesTheLargestForWhatDoesNotFit(String value) {
        assertThat(this.millis.decode(value)).isEqualTo(Long.MAX_VALUE);
        assertThat(this.millis.decode("-" + value)).isEqualTo(-Long.MAX_VALUE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", " ", "-", "--1", "+1", "1e999", "NaN", "5 s", "5ms", " 5", "5 ", "1.5", "0x10", "1,2", "١٢"})
    void ignoresJunk(String value) {
        assertThat(this.millis.decode(value)).isNull();
    }

    @ParameterizedTest
    @CsvSource({"1,1", "999999,1", "1000000,1", "1000001,2", "1500000000,1500", "9223372036854775807,9223372036855"})
    void roundsMillisecondsUp(long nanos, String value) {
        assertThat(this.millis.encode(nanos)).isEqualTo(value);
    }

    @ParameterizedTest
    @CsvSource({"1n,1", "2u,2000", "250m,250000000", "3S,3000000000", "1M,60000000000", "1H,3600000000000", "0m,0"})
    void readsUnitsOfGrpc(String value, long nanos) {
        assertThat(this.grpc.decode(value)).isEqualTo(nanos);
    }

    @Test
    void takesTheLargestForHoursThatDoNotFit() {
        assertThat(this.grpc.decode("99999999H")).isEqualTo(Long.MAX_VALUE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "m", "5", "123456789m", "-1m", "5s", "5 m", "1.5m", "NaN"})
    void ignoresJunkOfGrpc(String value) {
        assertThat(this.grpc.decode(value)).isNull();
    }

    @ParameterizedTest
    @CsvSource({"1,1n", "99999999,99999999n", "100000001,100001u", "100000000,100000u", "9223372036854775807,2562048H"})
    void writesTheFinestUnitThatFits(long nanos, String value) {
        assertThat(this.grpc.encode(nanos)).isEqualTo(value);
    }
}
