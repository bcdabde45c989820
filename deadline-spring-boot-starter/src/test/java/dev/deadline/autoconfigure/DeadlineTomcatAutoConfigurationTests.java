package dev.deadline.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.deadline.gateway.ArrivalQueue;
import dev.deadline.gateway.StampingProtocol;
import dev.deadline.gateway.TomcatQueue;
import org.apache.coyote.http11.Http11Nio2Protocol;
import org.apache.coyote.http11.Http11NioProtocol;
import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.web.embedded.tomcat.TomcatServletWebServerFactory;
import org.springframework.util.ReflectionUtils;

class DeadlineTomcatAutoConfigurationTests {

    private final WebApplicationContextRunner runner = new WebApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(DeadlineAutoConfiguration.class, DeadlineTomcatAutoConfiguration.class));

    @Test
    void givesTheFactoryTheProtocolThatStamps() {
        this.runner.run(context -> assertThat(customized(context.getBean(Boot3TomcatCustomizer.class), null))
                .isEqualTo(StampingProtocol.class.getName()));
    }

    @Test
    void stampsWithoutAGate() {
        this.runner
                .withPropertyValues("deadline.gateway.enabled=false")
                .run(context -> assertThat(context)
                        .hasSingleBean(TomcatQueue.class)
                        .hasSingleBean(Boot3TomcatCustomizer.class));
    }

    @Test
    void leavesAnotherProtocolAlone() {
        String own = Http11Nio2Protocol.class.getName();

        this.runner.run(context -> assertThat(customized(context.getBean(Boot3TomcatCustomizer.class), own))
                .isEqualTo(own));
    }

    private static Object customized(Boot3TomcatCustomizer customizer, String own) {
        TomcatServletWebServerFactory factory = new TomcatServletWebServerFactory();
        if (own != null) {
            factory.setProtocol(own);
        }
        customizer.customize(factory);
        assertThat(factory.getTomcatConnectorCustomizers()).hasSize(1);
        var protocol = ReflectionUtils.findField(TomcatServletWebServerFactory.class, Boot3TomcatCustomizer.PROTOCOL);
        ReflectionUtils.makeAccessible(protocol);
        return ReflectionUtils.getField(protocol, factory);
    }

    @Test
    void backsOffForAQueueOfTheApplication() {
        this.runner
                .withBean(ArrivalQueue.class, TomcatQueue::new)
                .run(context -> assertThat(context)
                        .hasSingleBean(ArrivalQueue.class)
                        .doesNotHaveBean(Boot3TomcatCustomizer.class));
    }

    @Test
    void isAbsentWithoutTomcatOrWhenSwitchedOff() {
        this.runner
                .withClassLoader(new FilteredClassLoader(Http11NioProtocol.class))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(ArrivalQueue.class));
        this.runner
                .withPropertyValues("deadline.gateway.queue-stamp=false")
                .run(context -> assertThat(context).doesNotHaveBean(ArrivalQueue.class));
    }

    @Test
    void doesWithoutAnEmbeddedServer() {
        this.runner
                .withClassLoader(new FilteredClassLoader(TomcatServletWebServerFactory.class))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(Boot3TomcatCustomizer.class)
                        .getBean(ArrivalQueue.class)
                        .matches(queue -> queue.size() == ArrivalQueue.UNKNOWN));
    }

    @Test
    void keepsTheProtocolInANativeImage() throws Exception {
        RuntimeHints hints = new RuntimeHints();
        new TomcatHints().registerHints(hints, getClass().getClassLoader());

        assertThat(RuntimeHintsPredicates.reflection().onConstructor(StampingProtocol.class.getConstructor()))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection()
                        .onField(TomcatServletWebServerFactory.class, Boot3TomcatCustomizer.PROTOCOL))
                .accepts(hints);
    }
}
