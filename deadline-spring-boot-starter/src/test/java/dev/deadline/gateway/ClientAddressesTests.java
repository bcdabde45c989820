package dev.deadline.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

/** C68: who counts as one client. */
class ClientAddressesTests {

    private static final ClientAddresses WHOLE = new ClientAddresses(32, 128);

    private static final ClientAddresses USUAL = new ClientAddresses(32, 64);

    private static final ClientKey UNKNOWN = WHOLE.of(null, 0);

    private final Random random = new Random(4711);

    private static ClientKey whole(String address) {
        return WHOLE.of(address, 0);
    }

    private static ClientKey usual(@Nullable String address) {
        return USUAL.of(address, 0);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "192.0.2.7",
                "192.0.2.7:5678",
                " 192.0.2.7 ",
                "192.000.002.007",
                "::ffff:192.0.2.7",
                "::FFFF:c000:207",
                "0:0:0:0:0:ffff:192.0.2.7",
                "[::ffff:192.0.2.7]",
                "[::ffff:192.0.2.7]:443",
                "64:ff9b::192.0.2.7",
                "0064:ff9b:0::c000:0207"
            })
    void readsAnIpv4AddressInAllItsSpellings(String spelling) {
        assertThat(usual(spelling)).isEqualTo(usual("192.0.2.7")).isNotEqualTo(UNKNOWN);
        assertThat(usual(spelling)).isNotEqualTo(usual("192.0.2.8"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2001:db8::1:0:0:1",
                "2001:DB8:0:0:1:0:0:1",
                "[2001:db8::1:0:0:1]",
                "[2001:db8::1:0:0:1]:8080",
                "2001:db8::1:0:0:1%eth0",
                "[2001:db8::1:0:0:1%25eth0]:8080",
                "2001:0db8:0000:0000:0001::0001"
            })
    void readsAnIpv6AddressInAllItsSpellings(String spelling) {
        assertThat(whole(spelling)).isEqualTo(whole("2001:db8:0:0:1:0:0:1")).isNotEqualTo(UNKNOWN);
    }

    @NullAndEmptySource
    @ParameterizedTest
    @ValueSource(
            strings = {
                " ",
                "unknown",
                "localhost",
                "_hidden",
                "1.2.3",
                "1.2.3.4.5",
                "1.2.3.256",
                "1.2.3.0004",
                "1..2.3",
                "1.2.3.4.",
                ".1.2.3.4",
                "1.2.3.4:x",
                "1.2.3.4,5.6.7.8",
                ":",
                ":::",
                ":1",
                "1:",
                "1:2:3:4:5:6:7",
                "1:2:3:4:5:6:7:8:9",
                "1::2::3",
                "12345::",
                "g::",
                "::1.2.3",
                "::1.2.3.4:5",
                "1:2:3:4:5:6:7:1.2.3.4",
                "1:2:3:4:5:6:7:8::",
                "[::1",
                "[::1]x",
                "[::1]:y",
                "[]",
                "::1]",
                "2001:db8::1:",
                "٢٠٠١:db8::1.2.3.4.5"
            })
    void takesWhateverIsNoAddressForOneClient(@Nullable String nonsense) {
        assertThat(usual(nonsense)).isEqualTo(UNKNOWN);
    }

    @Test
    void takesOneNetworkForOneClient() {
        Set<ClientKey> clients = new HashSet<>();
        for (int i = 0; i < 1000; i++) {
            clients.add(usual("2001:db8:7:9:" + hex() + ":" + hex() + ":" + hex() + ":" + hex()));
        }

        assertThat(clients).hasSize(1);
        assertThat(usual("2001:db8:7:a::1")).isNotIn(clients);
    }

    @Test
    void goesByTheNumberOfBitsThatIsSet() {
        assertThat(new ClientAddresses(24, 64).of("192.0.2.7", 0))
                .isEqualTo(new ClientAddresses(24, 64).of("::ffff:192.0.2.250", 0))
                .isNotEqualTo(new ClientAddresses(24, 64).of("192.0.3.7", 0));
        assertThat(new ClientAddresses(32, 48).of("2001:db8:1:2::", 0))
                .isEqualTo(new ClientAddresses(32, 48).of("2001:db8:1:3::", 0))
                .isNotEqualTo(new ClientAddresses(32, 48).of("2001:db8:2::", 0));
        assertThat(new ClientAddresses(32, 96).of("2001:db8::1:2:3", 0))
                .isEqualTo(new ClientAddresses(32, 96).of("2001:db8::1:4:5", 0))
                .isNotEqualTo(new ClientAddresses(32, 96).of("2001:db8::2:2:3", 0));
        assertThat(new ClientAddresses(1, 1).of("1.2.3.4", 0)).isEqualTo(new ClientAddresses(1, 1).of("127.2.3.4", 0));
    }

    @Test
    void keepsRulesApart() {
        assertThat(USUAL.of("192.0.2.7", 0)).isNotEqualTo(USUAL.of("192.0.2.7", 1));
        assertThat(USUAL.of("192.0.2.7", 0).forRule(1)).isEqualTo(USUAL.of("192.0.2.7", 1));
    }

    /** Every literal is read as the JDK reads it, however it is written. */
    @Test
    void readsLiteralsAsTheJdkDoes() throws Exception {
        for (int i = 0; i < 50_000; i++) {
            String literal = this.random.nextInt(4) == 0 ? ipv4() : ipv6();
            byte[] bytes = InetAddress.getByName(literal).getAddress();

            assertThat(whole(literal)).as(literal).isEqualTo(expected(bytes));
        }
    }

    /** Whatever is damaged is either read as the JDK reads it, or no address; it never throws. */
    @Test
    void neverFailsOnDamagedLiterals() {
        String damage = "0123456789abcdefABCDEFgx:.:.[]%/ -,";
        for (int i = 0; i < 100_000; i++) {
            StringBuilder literal = new StringBuilder(this.random.nextInt(4) == 0 ? ipv4() : ipv6());
            for (int j = this.random.nextInt(4); j >= 0; j--) {
                int at = this.random.nextInt(literal.length() + 1);
                char with = damage.charAt(this.random.nextInt(damage.length()));
                if (this.random.nextBoolean() && at < literal.length()) {
                    literal.setCharAt(at, with);
                } else {
                    literal.insert(at, with);
                }
            }

            assertThat(whole(literal.toString())).as(literal.toString()).isNotNull();
        }
    }

    private ClientKey expected(byte[] bytes) {
        if (bytes.length == 4) {
            return new ClientKey(
                    0, 0, 0xffff_0000_0000L | (ByteBuffer.wrap(bytes).getInt() & 0xffff_ffffL));
        }
        ByteBuffer both = ByteBuffer.wrap(bytes);
        return new ClientKey(0, both.getLong(), both.getLong());
    }

    private String ipv4() {
        return octet() + "." + octet() + "." + octet() + "." + octet();
    }

    private int octet() {
        return this.random.nextInt(256);
    }

    private String ipv6() {
        boolean embedded = this.random.nextInt(5) == 0;
        int groups = embedded ? 6 : 8;
        int from = this.random.nextInt(groups + 1);
        int left = from + this.random.nextInt(groups + 1 - from);
        StringBuilder literal = new StringBuilder();
        for (int i = 0; i < groups; i++) {
            if (left > from && i == from) {
                literal.append("::");
                i = left - 1;
                continue;
            }
            if (!literal.isEmpty() && literal.charAt(literal.length() - 1) != ':') {
                literal.append(':');
            }
            literal.append(this.random.nextBoolean() ? hex().toUpperCase() : hex());
        }
        if (embedded) {
            if (!literal.isEmpty() && literal.charAt(literal.length() - 1) != ':') {
                literal.append(':');
            }
            literal.append(ipv4());
        }
        return literal.toString();
    }

    private String hex() {
        return Integer.toHexString(this.random.nextInt(this.random.nextBoolean() ? 0x10000 : 0x10));
    }
}
