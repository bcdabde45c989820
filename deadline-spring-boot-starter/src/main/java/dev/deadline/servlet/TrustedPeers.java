package dev.deadline.servlet;

import dev.deadline.engine.InvalidSetupException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The addresses and networks whose word counts. Immutable; never asks a name service. */
public final class TrustedPeers {

    private static final String OCTET = "(25[0-5]|2[0-4]\\d|[01]?\\d?\\d)";

    private static final Pattern IPV4 = Pattern.compile(OCTET + "(\\." + OCTET + "){3}");

    private static final Pattern IPV6 = Pattern.compile("[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*");

    private static final int MAPPED_BITS = 96;

    private final List<Network> networks;

    /**
     * @param entries addresses, or networks such as {@code 10.0.0.0/8} and {@code fe80::/10}
     * @param key under which they are configured
     * @throws InvalidSetupException naming the first entry that is neither
     */
    public TrustedPeers(List<String> entries, String key) {
        this.networks = entries.stream().map(entry -> network(entry, key)).toList();
    }

    /** Whether an address, as a container reports it, is trusted. Null and whatever is no address are not. */
    public boolean contains(@Nullable String address) {
        byte[] bytes = (address != null) ? bytesOf(bare(address)) : null;
        if (bytes == null) {
            return false;
        }
        for (Network network : this.networks) {
            if (network.contains(bytes)) {
                return true;
            }
        }
        return false;
    }

    private static Network network(String entry, String key) {
        int slash = entry.indexOf('/');
        String literal = ((slash < 0) ? entry : entry.substring(0, slash)).trim();
        byte[] bytes = bytesOf(bare(literal));
        if (bytes == null) {
            throw illegal(entry, key);
        }
        int bits = bytes.length * 8;
        if (slash >= 0) {
            String prefix = entry.substring(slash + 1).trim();
            if (!prefix.matches("\\d{1,3}")) {
                throw illegal(entry, key);
            }
            // An IPv4-mapped IPv6 address is read as the IPv4 address that it stands for.
            boolean mapped = bytes.length == 4 && literal.contains(":");
            int given = Integer.parseInt(prefix) - (mapped ? MAPPED_BITS : 0);
            if (given < 0 || given > bits) {
                throw illegal(entry, key);
            }
            bits = given;
        }
        return new Network(bytes, bits);
    }

    private static InvalidSetupException illegal(String entry, String key) {
        return new InvalidSetupException(
                key + " holds '" + entry + "', which is neither an IP address nor a network.",
                "Write it as in 10.0.0.0/8, fe80::/10 or 192.168.1.7; names of hosts are not looked up.");
    }

    // Some containers report IPv6 addresses in brackets, some with the zone they were seen in.
    private static String bare(String address) {
        String inner = (address.startsWith("[") && address.endsWith("]"))
                ? address.substring(1, address.length() - 1)
                : address;
        int zone = inner.indexOf('%');
        return (zone < 0) ? inner : inner.substring(0, zone);
    }

    private static byte @Nullable [] bytesOf(String literal) {
        // Nothing but a literal gets past this, as anything else would be looked up.
        if (!IPV4.matcher(literal).matches() && !IPV6.matcher(literal).matches()) {
            return null;
        }
        try {
            return InetAddress.getByName(literal).getAddress();
        } catch (UnknownHostException ex) {
            return null;
        }
    }

    private record Network(byte[] address, int bits) {

        boolean contains(byte[] other) {
            if (other.length != this.address.length) {
                return false;
            }
            int whole = this.bits / 8;
            for (int i = 0; i < whole; i++) {
                if (other[i] != this.address[i]) {
                    return false;
                }
            }
            int rest = this.bits % 8;
            return rest == 0 || ((other[whole] ^ this.address[whole]) & 0xff) >> (8 - rest) == 0;
        }
    }
}
