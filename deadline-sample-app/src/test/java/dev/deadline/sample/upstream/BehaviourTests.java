package dev.deadline.sample.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BehaviourTests {

    @ParameterizedTest
    @ValueSource(strings = {"ok", "slow:0", "slow:190", "slow:60000", "hang", "drip", "error", "refuse", "revoked"})
    void isWrittenAsItIsRead(String text) {
        assertThat(Behaviour.valueOf(text)).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "OK", "slow", "slow:", "slow:-1", "slow:60001", "slow:999999", "slow:1e3", "hang "})
    void refusesAnythingElse(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Behaviour.valueOf(text));
    }
}
