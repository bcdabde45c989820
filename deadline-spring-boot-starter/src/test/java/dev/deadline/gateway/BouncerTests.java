package dev.deadline.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.deadline.GateCause;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BouncerTests {

    private static final String CLIENT = "192.0.2.1";

    private static final LimitRule ALL = Rules.perSecond(0, LimitKey.ADDRESS, 2, 4, "/**");

    private static final LimitRule LOGIN = Rules.perSecond(1, LimitKey.ADDRESS, 1, 1, "/login");

    private final AtomicLong now = new AtomicLong(Long.MIN_VALUE);

    private final Bouncer bouncer = bouncer(null, ALL, LOGIN);

    private Bouncer bouncer(@Nullable BanTerms bans, LimitRule... rules) {
        LimitStore store = new LocalLimitStore(List.of(rules), 1000, this.now::get);
        return new Bouncer(List.of(rules), new ClientAddresses(32, 64), store, bans, 1000, this.now::get);
    }

    private void pass(Duration time) {
        this.now.addAndGet(time.toNanos());
    }

    private @Nullable LimitExcess get(String path) {
        return this.bouncer.check(Requests.from(CLIENT, path));
    }

    @Test
    void letsInABurstAndThenWhatTheRuleSays() {
        for (int i = 0; i < 4; i++) {
            assertThat(get("/")).isNull();
        }
        LimitExcess excess = get("/");
        assertThat(excess).isNotNull();
        assertThat(excess.cause()).isEqualTo(GateCause.LIMIT);
        assertThat(excess.waitNanos()).isEqualTo(TimeUnit.MILLISECONDS.toNanos(500));
        assertThat(excess.waitSeconds()).isEqualTo(1);
        assertThat(excess.policyField()).isEqualTo("\"address\";q=4;w=2");
        assertThat(excess.limitField()).isEqualTo("\"address\";r=0;t=1");

        pass(Duration.ofMillis(500).minusNanos(1));
        assertThat(get("/")).isNotNull();
        pass(Duration.ofNanos(1));
        assertThat(get("/")).isNull();
        assertThat(get("/")).isNotNull();
    }

    @Test
    void countsEachRuleByItself() {
        assertThat(get("/login")).isNull();
        assertThat(get("/login")).isNotNull();
        assertThat(get("/")).isNull();
    }

    @Test
    void countsEachClientByItself() {
        get("/login");

        assertThat(this.bouncer.check(Requests.from("192.0.2.2", "/login"))).isNull();
        assertThat(this.bouncer.check(Requests.from("::ffff:" + CLIENT, "/login")))
                .isNotNull();
    }

    @Test
    void letsInWhatNoRuleIsFor() {
        Bouncer strict = bouncer(null, Rules.perSecond(0, LimitKey.ADDRESS, 1, 1, "/login"));
        for (int i = 0; i < 10; i++) {
            assertThat(strict.check(Requests.from(CLIENT, "/other"))).isNull();
        }
    }

    @Test
    void sharesOneBucketAmongAllWhoHaveNoAddress() {
        Bouncer strict = bouncer(null, Rules.perSecond(0, LimitKey.ADDRESS, 1, 1, "/**"));

        assertThat(strict.check(Requests.from("forged-1", "/"))).isNull();
        assertThat(strict.check(Requests.from("forged-2", "/"))).isNotNull();
    }

    /** C67: a filter of the application believes what the client says of itself. */
    @Test
    void goesByTheAddressThatTheContainerReports() {
        for (int i = 0; i < 2; i++) {
            String forged = "203.0.113." + i;
            HttpServletRequest request = new HttpServletRequestWrapper(Requests.from(CLIENT, "/login")) {
                @Override
                public String getRemoteAddr() {
                    return forged;
                }
            };
            assertThat(this.bouncer.check(request) == null).isEqualTo(i == 0);
        }
    }

    @Test
    void refusesABannedClientAltogether() {
        BanTerms terms = new BanTerms(2, TimeUnit.SECONDS.toNanos(10), TimeUnit.SECONDS.toNanos(60));
        Bouncer banning = bouncer(terms, Rules.perSecond(0, LimitKey.ADDRESS, 1, 1, "/login"));
        for (int i = 0; i < 3; i++) {
            banning.check(Requests.from(CLIENT, "/login"));
        }

        LimitExcess banned = banning.check(Requests.from(CLIENT, "/other"));
        assertThat(banned).isNotNull();
        assertThat(banned.cause()).isEqualTo(GateCause.BAN);
        assertThat(banned.waitSeconds()).isEqualTo(10);
        assertThat(banned.policyField()).isNull();
        assertThat(banning.check(Requests.from("192.0.2.2", "/other"))).isNull();
        pass(Duration.ofSeconds(10));
        assertThat(banning.check(Requests.from(CLIENT, "/login"))).isNull();
    }
}
