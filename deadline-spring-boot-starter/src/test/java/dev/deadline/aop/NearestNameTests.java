package dev.deadline.aop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NearestNameTests {

    @Test
    void isTheOneWithTheFewestLettersToChange() {
        List<String> known = List.of("catalog", "flags", "geo", "user.prefs");

        assertThat(NearestName.of("flgas", known)).contains("flags");
        assertThat(NearestName.of("USER_PREF", known)).contains("user.prefs");
        assertThat(NearestName.of("go", known)).contains("geo");
        assertThat(NearestName.of("catalogue", known)).contains("catalog");
    }

    @Test
    void isNoneWhereNothingIsKnown() {
        assertThat(NearestName.of("flags", List.of())).isEmpty();
    }
}
