package dev.deadline.gateway;

import java.util.List;
import java.util.concurrent.TimeUnit;

/** Rules for tests. */
final class Rules {

    private Rules() {}

    static LimitRule perSecond(int index, LimitKey key, long limit, long burst, String... paths) {
        return new LimitRule(index, key, List.of(paths), limit, TimeUnit.SECONDS.toNanos(1), burst);
    }

    static LimitRule forAll(long limit, long burst) {
        return perSecond(0, LimitKey.ADDRESS, limit, burst, "/**");
    }
}
