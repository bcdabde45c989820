package dev.deadline.compat.step;

import static dev.deadline.OnTimeout.CLOSED;
import static dev.deadline.OnTimeout.OPEN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.deadline.Step;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@ExtendWith(OutputCaptureExtension.class)
class StepStartUpTests {

    /** C27. */
    @Test
    void saysWhichFallbackIsWrongAndWhatToWrite(CapturedOutput output) {
        assertThat(start(WrongFallback.class)).isNotNull();

        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains("names the fallback 'noOffers', but it must have the same parameters and return type as "
                        + "List<String> offers(String user), but is List<String> noOffers(int user).")
                .contains("Declare it as List<String> noOffers(String user), or as "
                        + "List<String> noOffers(String user, StepFailedException failure).")
                .doesNotContain("Caused by");
    }

    /** C25. */
    @Test
    void saysWhichMethodCannotBeAStep(CapturedOutput output) {
        assertThat(start(FinalMethod.class)).isNotNull();

        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains("FinalMethods.check() has @Step, but is final")
                .contains("Remove 'final' from it.");
    }

    /** C54. */
    @Test
    void refusesANameThatCouldBreakAHeader(CapturedOutput output) {
        assertThat(start(IllegalName.class)).isNotNull();

        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains("The step name 'flags??Set-Cookie: a=b' is illegal.");
    }

    private static Throwable start(Class<?> configuration) {
        return catchThrowable(() -> new SpringApplicationBuilder(configuration)
                .web(WebApplicationType.NONE)
                .run("--spring.main.banner-mode=off")
                .close());
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class WrongFallback {

        @Bean
        Offers offers() {
            return new Offers();
        }
    }

    static class Offers {

        @Step(name = "offers", onTimeout = OPEN, fallback = "noOffers")
        public List<String> offers(String user) {
            return List.of();
        }

        List<String> noOffers(int user) {
            return List.of();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class FinalMethod {

        @Bean
        FinalMethods finalMethods() {
            return new FinalMethods();
        }
    }

    static class FinalMethods {

        @Step(name = "check", onTimeout = CLOSED)
        public final void check() {}
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class IllegalName {

        @Bean
        Names names() {
            return new Names();
        }
    }

    static class Names {

        @Step(name = "flags\r\nSet-Cookie: a=b", onTimeout = CLOSED)
        public void check() {}
    }
}
