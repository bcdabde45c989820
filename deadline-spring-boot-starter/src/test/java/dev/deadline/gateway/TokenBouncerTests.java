package dev.deadline.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.deadline.DeadlineListener;
import java.security.Principal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.oauth2.core.OAuth2AccessToken;

/** C69: only what authentication has accepted is counted for a token. */
class TokenBouncerTests {

    private static final LimitRule RULE = Rules.perSecond(0, LimitKey.TOKEN, 1, 1, "/**");

    private final AtomicLong now = new AtomicLong();

    private final List<String> shared = new ArrayList<>();

    private final DeadlineListener listener = new DeadlineListener() {
        @Override
        public void tokenShared(String token, int addresses) {
            TokenBouncerTests.this.shared.add(token + " " + addresses);
        }
    };

    private final TokenBouncer bouncer = bouncer(new AcceptedToken(), 10);

    private TokenBouncer bouncer(RequestToken token, int sharedFrom) {
        return new TokenBouncer(
                List.of(RULE),
                token,
                TokenHash.withKey("0123456789abcdef"),
                new ClientAddresses(32, 64),
                new LocalLimitStore(List.of(RULE), 1000, this.now::get),
                sharedFrom,
                this.listener,
                this.now::get);
    }

    private static MockHttpServletRequest request(@Nullable String authorization, @Nullable Principal principal) {
        MockHttpServletRequest request = Requests.from("192.0.2.1", "/");
        if (authorization != null) {
            request.addHeader("Authorization", authorization);
        }
        request.setUserPrincipal(principal);
        return request;
    }

    private static Principal accepted(Object credentials) {
        return new TestingAuthenticationToken("anna", credentials);
    }

    private static OAuth2AccessToken oauth(String token) {
        return new OAuth2AccessToken(
                OAuth2AccessToken.TokenType.BEARER, token, Instant.EPOCH, Instant.EPOCH.plusSeconds(1));
    }

    @Test
    void countsNothingThatNobodyHasAccepted() {
        for (int i = 0; i < 100; i++) {
            assertThat(this.bouncer.check(request("Bearer random-" + i, null))).isNull();
            assertThat(this.bouncer.check(request("Bearer victim", null))).isNull();
        }
        assertThat(this.bouncer.check(request("Bearer victim", accepted("victim"))))
                .isNull();
        assertThat(this.bouncer.check(request("Bearer victim", accepted("victim"))))
                .isNotNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Bearer abc", "bearer abc", "BEARER   abc", " Bearer\tabc  "})
    void takesOneTokenInDifferentSpellingsForOne(String spelling) {
        assertThat(this.bouncer.check(request("Bearer abc", accepted("abc")))).isNull();
        assertThat(this.bouncer.check(request(spelling, accepted(oauth("abc")))))
                .isNotNull();
    }

    @Test
    void countsTheTokensOfOnePrincipalByThemselves() {
        assertThat(this.bouncer.check(request("Bearer one", accepted(oauth("one")))))
                .isNull();
        assertThat(this.bouncer.check(request("Bearer two", accepted(oauth("two")))))
                .isNull();
    }

    /** Whoever is logged in by other means gets no further buckets for tokens that nobody looks at. */
    @Test
    void countsForThePrincipalWhenTheBearerTokenIsNotWhatWasAccepted() {
        assertThat(this.bouncer.check(request(null, accepted("password")))).isNull();
        assertThat(this.bouncer.check(request("Bearer made-up", accepted("password"))))
                .isNotNull();
        assertThat(this.bouncer.check(request("Bearer other", accepted(oauth("real")))))
                .isNotNull();
        assertThat(this.bouncer.check(request("Basic YTpi", () -> "anna"))).isNotNull();
        assertThat(this.bouncer.check(request("Bearer x", () -> "berta"))).isNull();
    }

    @Test
    void asksTheBeanOfTheApplicationWhichTokenCounts() {
        TokenBouncer own = bouncer(request -> request.getHeader("X-Api-Key"), 10);
        MockHttpServletRequest keyed = request(null, () -> "anna");
        keyed.addHeader("X-Api-Key", "k");

        assertThat(own.check(keyed)).isNull();
        assertThat(own.check(keyed)).isNotNull();
        assertThat(own.check(request(null, () -> "anna"))).isNull();
    }

    /** A filter that checks keys has accepted the request, whether it sets a principal or not. */
    @Test
    void asksTheBeanOfTheApplicationWithoutAPrincipalToo() {
        TokenBouncer own = bouncer(request -> request.getHeader("X-Api-Key"), 10);
        MockHttpServletRequest keyed = request(null, null);
        keyed.addHeader("X-Api-Key", "k");

        assertThat(own.check(keyed)).isNull();
        assertThat(own.check(keyed)).isNotNull();
        assertThat(own.check(request(null, null))).isNull();
    }

    /** C70. */
    @Test
    void letsPreflightsInForNothing() {
        MockHttpServletRequest preflight = Requests.preflight("192.0.2.1", "/");
        preflight.setUserPrincipal(() -> "anna");
        for (int i = 0; i < 10; i++) {
            assertThat(this.bouncer.check(preflight)).isNull();
        }
        assertThat(this.bouncer.check(request(null, () -> "anna"))).isNull();
    }

    @Test
    void tellsOnceOfATokenFromManyNetworks() {
        TokenBouncer watching = bouncer(new AcceptedToken(), 10);
        for (int i = 0; i < 200; i++) {
            MockHttpServletRequest request = request("Bearer secret", accepted("secret"));
            // Two addresses of each network.
            request.setRemoteAddr("2001:db8:0:" + Integer.toHexString(i / 2) + "::" + (i % 2));
            watching.check(request);
        }

        assertThat(this.shared)
                .singleElement()
                .asString()
                .matches("[0-9a-f]{8} 1\\d")
                .doesNotContain("secret");
    }

    @Test
    void tellsNothingOfATokenFromAFewNetworks() {
        for (int i = 0; i < 1000; i++) {
            MockHttpServletRequest request = request("Bearer secret", accepted("secret"));
            request.setRemoteAddr("192.0.2." + i % 5);
            this.bouncer.check(request);
        }

        assertThat(this.shared).isEmpty();
    }
}
