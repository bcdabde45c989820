package dev.deadline.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.deadline.engine.InvalidSetupException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TrustedPeersTests {

    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/8, 10.200.3.4, true",
        "10.0.0.0/8, 11.0.0.1, false",
        "10.1.2.3/8, 10.9.9.9, true",
        "192.168.1.7, 192.168.1.7, true",
        "192.168.1.7, 192.168.1.8, false",
        "172.16.0.0/12, 172.31.255.255, true",
        "172.16.0.0/12, 172.32.0.0, false",
        "0.0.0.0/0, 8.8.8.8, true",
        "0.0.0.0/0, 2001:db8::1, false",
        "fe80::/10, fe80::1%eth0, true",
        "fe80::/10, [fe80::1], true",
        "fe80::/10, fec0::1, false",
        "::1, 0:0:0:0:0:0:0:1, true",
        "10.0.0.0/8, ::ffff:10.1.2.3, true",
        "::ffff:10.0.0.0/104, 10.1.2.3, true",
        "::ffff:10.0.0.0/104, 11.1.2.3, false"
    })
    void comparesAddressesBitByBit(String entry, String address, boolean trusted) {
        assertThat(new TrustedPeers(List.of(entry), "deadline.some.trusted-peers").contains(address))
                .isEqualTo(trusted);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "unknown", "localhost", "10.0.0", "10.0.0.256", "1:2", "::1::"})
    void trustsNothingThatIsNoAddress(String address) {
        TrustedPeers everybody = new TrustedPeers(List.of("0.0.0.0/0", "::/0"), "deadline.some.trusted-peers");

        assertThat(everybody.contains(address)).isFalse();
        assertThat(everybody.contains(null)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost",
                "10.0.0.0/33",
                "10.0.0.0/-1",
                "10.0.0.0/",
                "10.0.0.0/8/8",
                "::/129",
                "",
                "10.0.0.256",
                "::ffff:10.0.0.0/8",
                "cafe",
                "example.org/8"
            })
    void refusesAnEntryThatIsNoNetwork(String entry) {
        assertThatThrownBy(() -> new TrustedPeers(List.of("10.0.0.0/8", entry), "deadline.some.trusted-peers"))
                .isInstanceOfSatisfying(InvalidSetupException.class, ex -> {
                    assertThat(ex.problem()).contains("trusted-peers holds '" + entry + "'");
                    assertThat(ex.remedy()).contains("10.0.0.0/8");
                });
    }

    @Test
    void trustsNobodyByDefault() {
        assertThat(new TrustedPeers(List.of(), "deadline.some.trusted-peers").contains("127.0.0.1"))
                .isFalse();
    }
}
