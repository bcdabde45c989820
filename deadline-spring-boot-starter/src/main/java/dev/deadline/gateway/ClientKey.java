package dev.deadline.gateway;

import java.util.concurrent.ThreadLocalRandom;

/**
 * What a client is known by: 128 bits, of its address or of the hash of its token, and the rule that it is counted for.
 * Whoever chooses addresses cannot choose the hash codes of their keys.
 */
public final class ClientKey {

    /** The rule of a key that is not counted for one. */
    static final int NO_RULE = -1;

    private static final long SEED = ThreadLocalRandom.current().nextLong();

    private static final long MIX_1 = 0xbf58476d1ce4e5b9L;

    private static final long MIX_2 = 0x94d049bb133111ebL;

    private final int rule;

    private final long high;

    private final long low;

    ClientKey(int rule, long high, long low) {
        this.rule = rule;
        this.high = high;
        this.low = low;
    }

    int rule() {
        return this.rule;
    }

    long high() {
        return this.high;
    }

    long low() {
        return this.low;
    }

    /** The key of the same client for another rule. */
    ClientKey forRule(int rule) {
        return new ClientKey(rule, this.high, this.low);
    }

    /** 64 bits that two clients rarely share, the same for every rule as long as this process lives. */
    long clientHash() {
        return mixed(mixed(this.high ^ SEED) + this.low);
    }

    private static long mixed(long bits) {
        long first = (bits ^ (bits >>> 30)) * MIX_1;
        long second = (first ^ (first >>> 27)) * MIX_2;
        return second ^ (second >>> 31);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ClientKey key && key.low == this.low && key.high == this.high && key.rule == this.rule;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(clientHash()) + this.rule;
    }
}
