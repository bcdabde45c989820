package dev.deadline.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TokenHashTests {

    private static final String TOKEN = "a-token";

    @Test
    void isTheSameWhereTheKeyIs() {
        ClientKey client = TokenHash.withKey("a-secret").of(TOKEN);

        assertThat(TokenHash.withKey("a-secret").of(TOKEN)).isEqualTo(client);
        assertThat(TokenHash.withKey("a-secret").of("another-token")).isNotEqualTo(client);
    }

    /** C69: who sees a hash, and guesses the token, cannot make sure without the key. */
    @Test
    void isAnotherForAnotherKey() {
        ClientKey client = TokenHash.withKey("a-secret").of(TOKEN);

        assertThat(TokenHash.withKey("another-secret").of(TOKEN)).isNotEqualTo(client);
        assertThat(TokenHash.withRandomKey().of(TOKEN))
                .isNotEqualTo(TokenHash.withRandomKey().of(TOKEN));
    }

    /** C69. */
    @Test
    void saysNothingOfTheTokenOrTheKey() {
        TokenHash hash = TokenHash.withKey("a-secret");

        assertThat(hash.toString()).doesNotContain("secret");
        assertThat(hash.of(TOKEN).toString()).doesNotContain("token");
    }
}
