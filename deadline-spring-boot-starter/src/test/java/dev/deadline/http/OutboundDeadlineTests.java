package dev.deadline.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.deadline.propagation.RemainingMillisCodec;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OutboundDeadlineTests {

    private final RemainingMillisCodec codec = new RemainingMillisCodec(RemainingMillisCodec.HEADER);

    @ParameterizedTest
    @CsvSource({
        "http://api.example.org/x,true",
        "http://API.Example.org:8443,true",
        "http://a.b.internal,true",
        "http://internal,false",
        "http://evilinternal,false",
        "http://api.example.org.evil,false",
        "http://10.0.0.7,false",
        "http://[::1]:80,false",
        "mailto:someone,false"
    })
    void isSentToNamedHostsAndDomains(URI uri, boolean sent) {
        OutboundDeadline outbound = OutboundDeadline.sent(this.codec, List.of("api.example.org", "*.Internal"));

        assertThat(outbound.codecFor(uri)).isEqualTo(sent ? this.codec : null);
    }

    @Test
    void isSentToEveryHostByDefault() {
        assertThat(OutboundDeadline.sent(this.codec, List.of()).codecFor(URI.create("http://anything")))
                .isSameAs(this.codec);
        assertThat(OutboundDeadline.notSent().codecFor(URI.create("http://anything")))
                .isNull();
    }
}
