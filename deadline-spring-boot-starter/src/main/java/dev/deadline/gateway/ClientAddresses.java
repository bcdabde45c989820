package dev.deadline.gateway;

import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import org.jspecify.annotations.Nullable;

/**
 * Tells clients apart by the network that their address is in. Reads the literals of IPv4, also with a port behind, and of
 * IPv6, also with brackets, port and zone; never asks a name service and never throws. An IPv4 address that is written
 * as an IPv6 one ({@code ::ffff:0:0/96}, {@code 64:ff9b::/96}) is that IPv4 address. Whatever is no address is one client.
 * Immutable.
 */
public final class ClientAddresses {

    // The last address of all, of which no client is.
    private static final long UNKNOWN = -1;

    private static final long MAPPED = 0xffffL;

    private static final long NAT64 = 0x0064_ff9b_0000_0000L;

    private static final int GROUPS = 8;

    private final long ipv4Mask;

    private final long highMask;

    private final long lowMask;

    /**
     * @param ipv4Prefix how many bits of an IPv4 address count, 1 to 32
     * @param ipv6Prefix how many bits of an IPv6 address count, 1 to 128
     */
    public ClientAddresses(int ipv4Prefix, int ipv6Prefix) {
        this.ipv4Mask = (-1L << (32 - ipv4Prefix)) & 0xffff_ffffL;
        this.highMask = (ipv6Prefix >= 64) ? -1 : -1L << (64 - ipv6Prefix);
        this.lowMask = (ipv6Prefix <= 64) ? 0 : -1L << (128 - ipv6Prefix);
    }

    /**
     * The key, for a rule, of the client of a request: of the address that the container reports. What a filter makes of it
     * does not count, as that of Spring believes whatever clients say of themselves.
     */
    ClientKey clientOf(ServletRequest request, int rule) {
        ServletRequest original = request;
        while (original instanceof ServletRequestWrapper wrapper) {
            original = wrapper.getRequest();
        }
        return of(original.getRemoteAddr(), rule);
    }

    /** The key, for a rule, of the client with this address, as a container reports it. */
    ClientKey of(@Nullable String address, int rule) {
        if (address == null) {
            return unknown(rule);
        }
        int end = address.length();
        int start = 0;
        while (start < end && address.charAt(start) <= ' ') {
            start++;
        }
        while (start < end && address.charAt(end - 1) <= ' ') {
            end--;
        }
        if (start < end && address.charAt(start) == '[') {
            int close = address.indexOf(']', start);
            boolean whole = close >= 0 && close < end && isPort(address, close + 1, end);
            return whole ? ipv6(address, start + 1, close, rule) : unknown(rule);
        }
        int colon = address.indexOf(':', start);
        if (colon < 0 || colon >= end) {
            return ipv4(ipv4(address, start, end), rule);
        }
        if (address.indexOf(':', colon + 1) < 0) {
            return isPort(address, colon, end) ? ipv4(ipv4(address, start, colon), rule) : unknown(rule);
        }
        return ipv6(address, start, end, rule);
    }

    private static ClientKey unknown(int rule) {
        return new ClientKey(rule, UNKNOWN, UNKNOWN);
    }

    private ClientKey ipv4(long bits, int rule) {
        return (bits < 0) ? unknown(rule) : new ClientKey(rule, 0, (MAPPED << 32) | (bits & this.ipv4Mask));
    }

    // Nothing, or a colon and digits.
    private static boolean isPort(String text, int start, int end) {
        if (start == end) {
            return true;
        }
        if (text.charAt(start) != ':') {
            return false;
        }
        for (int i = start + 1; i < end; i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return true;
    }

    // Its 32 bits; negative if it is none.
    private static long ipv4(String text, int start, int end) {
        long bits = 0;
        int parts = 0;
        int part = 0;
        int digits = 0;
        for (int i = start; i <= end; i++) {
            char c = (i < end) ? text.charAt(i) : '.';
            if (c >= '0' && c <= '9' && digits < 3) {
                part = part * 10 + (c - '0');
                digits++;
            } else if (c == '.' && digits > 0 && part <= 255) {
                bits = (bits << 8) | part;
                parts++;
                part = 0;
                digits = 0;
            } else {
                return -1;
            }
        }
        return (parts == 4) ? bits : -1;
    }

    // Groups are pushed from the right into 128 bits. At a double colon those before it are put aside, and moved to
    // their place when it is known how many follow.
    private ClientKey ipv6(String text, int start, int end, int rule) {
        int zone = text.indexOf('%', start);
        int stop = (zone >= 0 && zone < end) ? zone : end;
        long high = 0;
        long low = 0;
        int groups = 0;
        long headHigh = 0;
        long headLow = 0;
        int head = -1;
        int i = start;
        if (stop - i >= 2 && text.charAt(i) == ':' && text.charAt(i + 1) == ':') {
            head = 0;
            i += 2;
        }
        while (i < stop) {
            int group = 0;
            int digits = 0;
            int next = i;
            int digit;
            while (next < stop && digits < 5 && (digit = Character.digit(text.charAt(next), 16)) >= 0) {
                group = (group << 4) | digit;
                digits++;
                next++;
            }
            if (next < stop && text.charAt(next) == '.') {
                long tail = ipv4(text, i, stop);
                if (tail < 0) {
                    return unknown(rule);
                }
                high = (high << 32) | (low >>> 32);
                low = (low << 32) | tail;
                groups += 2;
                break;
            }
            if (digits == 0 || digits > 4) {
                return unknown(rule);
            }
            high = (high << 16) | (low >>> 48);
            low = (low << 16) | group;
            groups++;
            if (next == stop) {
                break;
            }
            i = next + 1;
            if (text.charAt(next) != ':' || i == stop) {
                return unknown(rule);
            }
            if (text.charAt(i) == ':') {
                if (head >= 0) {
                    return unknown(rule);
                }
                head = groups;
                headHigh = high;
                headLow = low;
                high = 0;
                low = 0;
                i++;
            }
        }
        if ((head < 0) ? groups != GROUPS : groups >= GROUPS) {
            return unknown(rule);
        }
        if (head > 0) {
            int shift = 16 * (GROUPS - head);
            high |= (shift >= 64) ? headLow << (shift - 64) : (headHigh << shift) | (headLow >>> (64 - shift));
            low |= (shift >= 64) ? 0 : headLow << shift;
        }
        boolean isIpv4 = (high == 0 && low >>> 32 == MAPPED) || (high == NAT64 && low >>> 32 == 0);
        return isIpv4 ? ipv4(low & 0xffff_ffffL, rule) : new ClientKey(rule, high & this.highMask, low & this.lowMask);
    }
}
