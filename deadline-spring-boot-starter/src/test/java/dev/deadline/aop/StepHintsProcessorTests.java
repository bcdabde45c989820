package dev.deadline.aop;

import static dev.deadline.OnTimeout.CLOSED;
import static dev.deadline.OnTimeout.OPEN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.deadline.Step;
import dev.deadline.autoconfigure.DeadlineAutoConfiguration;
import dev.deadline.autoconfigure.DeadlineStepAutoConfiguration;
import dev.deadline.engine.InvalidSetupException;
import org.junit.jupiter.api.Test;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.ReflectionHintsPredicates;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.context.annotation.AnnotationConfigUtils;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.javapoet.ClassName;

class StepHintsProcessorTests {

    private final ReflectionHintsPredicates reflection = RuntimeHintsPredicates.reflection();

    @Test
    void keepsTheMethodsThatAreFoundByReflection() {
        RuntimeHints hints = process(Service.class);

        assertThat(this.reflection.onMethod(Service.class, "locate").invoke()).accepts(hints);
        assertThat(this.reflection.onMethod(Base.class, "nowhere").invoke()).accepts(hints);
    }

    @Test
    void proxiesTheClassAheadOfTime() {
        RuntimeHints hints = process(Service.class);

        assertThat(hints.reflection().typeHints())
                .anyMatch(hint -> hint.getType().getName().startsWith(Service.class.getName() + "$$"));
    }

    @Test
    void proxiesAFinalClassByItsInterface() {
        RuntimeHints hints = process(FinalService.class);

        assertThat(hints.proxies().jdkProxyHints())
                .anyMatch(hint -> hint.getProxiedInterfaces().get(0).getName().equals(Gate.class.getName()));
    }

    @Test
    void leavesAnInterfaceWhoseClassIsNotKnownYetForTheStartUpToCheck() {
        assertThat(process(Factory.class)).isNotNull();
    }

    @Test
    void stopsTheBuildIfAStepCannotWork() {
        assertThatExceptionOfType(InvalidSetupException.class).isThrownBy(() -> process(Wrong.class));
    }

    private static RuntimeHints process(Class<?> bean) {
        try (GenericApplicationContext context = new GenericApplicationContext()) {
            AnnotationConfigUtils.registerAnnotationConfigProcessors(context);
            context.registerBean(DeadlineAutoConfiguration.class);
            context.registerBean(DeadlineStepAutoConfiguration.class);
            context.registerBean(bean);
            DefaultGenerationContext generation = new DefaultGenerationContext(
                    new ClassNameGenerator(ClassName.get("dev.deadline", "Test")), new InMemoryGeneratedFiles());
            new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
            return generation.getRuntimeHints();
        }
    }

    static class Base {

        String nowhere() {
            return "";
        }
    }

    static class Service extends Base {

        @Step(name = "service", onTimeout = OPEN, timeout = "${not.known.at.build.time}", fallback = "nowhere")
        public String locate() {
            return "";
        }
    }

    interface Gate {

        @Step(name = "final", onTimeout = CLOSED)
        void pass();
    }

    static final class FinalService implements Gate {

        @Override
        public void pass() {}
    }

    interface Geo {

        @Step(name = "geo", onTimeout = OPEN, fallback = "nowhere")
        String locate();
    }

    static class GeoService implements Geo {

        @Override
        public String locate() {
            return "";
        }

        String nowhere() {
            return "";
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Factory {

        @Bean
        Geo geo() {
            return new GeoService();
        }
    }

    static class Wrong {

        @Step(name = "wrong", onTimeout = OPEN)
        public String locate() {
            return "";
        }
    }
}
