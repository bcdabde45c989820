package dev.deadline.sample.session;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SessionTokensTests {

    private final SessionTokens tokens = new SessionTokens("secret");

    @Test
    void recognisesItsOwnTokens() {
        assertThat(this.tokens.userOf(this.tokens.issue("ada"))).contains("ada");
    }

    @Test
    void refusesTokensSignedWithAnotherKey() {
        String token = new SessionTokens("another").issue("ada");

        assertThat(this.tokens.userOf(token)).isEmpty();
    }

    @Test
    void refusesTheSignatureOfAnotherUser() {
        String ada = this.tokens.issue("ada");
        String eve = this.tokens.issue("eve");
        String forged = eve.substring(0, eve.indexOf('.')) + ada.substring(ada.indexOf('.'));

        assertThat(this.tokens.userOf(forged)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "YWRh", "YWRh.", "not base64.not base64", "YWRh.YWRh.YWRh"})
    void refusesWhatIsNoToken(String token) {
        assertThat(this.tokens.userOf(token)).isEmpty();
    }
}
