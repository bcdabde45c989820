package dev.deadline.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;

class LimitRulesTests {

    private static final LimitRule ALL = Rules.perSecond(0, LimitKey.ADDRESS, 50, 100, "/**");

    private static final LimitRule LOGIN = Rules.perSecond(1, LimitKey.ADDRESS, 1, 5, "/login", "/reset/{user}");

    private static final LimitRule API = Rules.perSecond(2, LimitKey.ADDRESS, 10, 10, "/api/**");

    private static final LimitRule TOKEN = Rules.perSecond(3, LimitKey.TOKEN, 7, 7, "/api/orders");

    private static LimitRules rules(LimitRule... rules) {
        return new LimitRules(List.of(rules), LimitKey.ADDRESS);
    }

    private static MockHttpServletRequest get(String path) {
        return Requests.from("192.0.2.1", path);
    }

    @Test
    void prefersTheMostSpecificPatternOfItsKind() {
        LimitRules rules = rules(ALL, LOGIN, API, TOKEN);

        assertThat(rules.of(get("/login"))).isSameAs(LOGIN);
        assertThat(rules.of(get("/reset/anna"))).isSameAs(LOGIN);
        assertThat(rules.of(get("/api/orders"))).isSameAs(API);
        assertThat(rules.of(get("/other"))).isSameAs(ALL);
        assertThat(new LimitRules(List.of(ALL, TOKEN), LimitKey.TOKEN).of(get("/api/orders")))
                .isSameAs(TOKEN);
    }

    @Test
    void hasNoneWhereNoPatternMatches() {
        assertThat(rules(API).of(get("/other"))).isNull();
        assertThat(rules(TOKEN).of(get("/api/orders"))).isNull();
    }

    @Test
    void looksAtThePathWithinTheApplication() {
        MockHttpServletRequest request = get("/context/login");
        request.setContextPath("/context");

        assertThat(rules(ALL, LOGIN).of(request)).isSameAs(LOGIN);
    }

    @Test
    void looksAtThePathAsTheContainerUnderstandsIt() {
        MockHttpServletRequest request = get("/x/..//lo%67in");
        request.setServletPath("/login");

        assertThat(rules(ALL, LOGIN).of(request)).isSameAs(LOGIN);
    }

    @Test
    void putsWhatCannotBeDecodedUnderTheGeneralRule() {
        assertThat(rules(ALL, API).of(get("/api/%zz"))).isSameAs(ALL);
        assertThat(rules(API).of(get("/api/%zz"))).isNull();
    }

    @Test
    void readsThePathOnceAndNotAtAllWithoutNeed() {
        MockHttpServletRequest unread = get("/api");
        assertThat(rules(ALL).of(unread)).isSameAs(ALL);
        assertThat(unread.getAttributeNames().hasMoreElements()).isFalse();

        MockHttpServletRequest request = get("/api/orders");
        rules(API).of(request);
        request.setRequestURI("/elsewhere");
        assertThat(rules(API).of(request)).isSameAs(API);
    }

    @Test
    void saysItsPolicyInWholeSeconds() {
        assertThat(ALL.policyField()).isEqualTo("\"address\";q=100;w=2");
        assertThat(TOKEN.policyField()).isEqualTo("\"token\";q=7;w=1");
        assertThat(new LimitRule(0, LimitKey.ADDRESS, List.of("/**"), 1000, 1, 1).policyField())
                .isEqualTo("\"address\";q=1;w=1");
        assertThat(ALL.fillNanos()).isEqualTo(TimeUnit.SECONDS.toNanos(2));
    }

    @Test
    void hasAFingerprintOfItsContent() {
        assertThat(ALL.fingerprint())
                .hasSize(8)
                .isEqualTo(Rules.perSecond(5, LimitKey.ADDRESS, 50, 100, "/**").fingerprint())
                .isNotEqualTo(
                        Rules.perSecond(0, LimitKey.ADDRESS, 50, 101, "/**").fingerprint())
                .isNotEqualTo(Rules.perSecond(0, LimitKey.TOKEN, 50, 100, "/**").fingerprint());
    }
}
