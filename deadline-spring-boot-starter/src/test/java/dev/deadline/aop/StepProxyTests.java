package dev.deadline.aop;

import static dev.deadline.OnTimeout.OPEN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.deadline.OnTimeout;
import dev.deadline.Step;
import dev.deadline.StepFailedException;
import dev.deadline.aop.StepContext.Recorder;
import dev.deadline.engine.InvalidSetupException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.core.PriorityOrdered;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.invoker.HttpExchangeAdapter;
import org.springframework.web.service.invoker.HttpRequestValues;
import org.springframework.web.service.invoker.HttpServiceProxyFactory;

/** C25: whatever kind of bean a step is in, it is advised, or the start-up says that it is not. */
@ExtendWith(OutputCaptureExtension.class)
class StepProxyTests {

    @Test
    void advisesAnHttpInterfaceAndTakesItsDefaultMethodAsFallback() {
        StepContext.with(HttpInterfaces.class)
                .run(context -> assertThat(context.getBean(GeoClient.class).locate("address"))
                        .isEqualTo("address: upstream_error"));
    }

    @Test
    void advisesAProxyThatIsNotOfSpring() {
        StepContext.with(ForeignProxy.class)
                .run(context ->
                        assertThat(context.getBean(Locator.class).locate()).isEqualTo("fallback"));
    }

    @Test
    void advisesALambda() {
        StepContext.with(Lambda.class)
                .run(context ->
                        assertThat(context.getBean(Locator.class).locate()).isEqualTo("fallback"));
    }

    @Test
    void advisesTheProductOfAFactoryBean() {
        StepContext.with(ServiceFactory.class)
                .run(context ->
                        assertThat(context.getBean(Service.class).locate()).isEqualTo("own state"));
    }

    @Test
    void advisesPrototypesAndScopedBeans() {
        StepContext.with(Prototypes.class).run(context -> {
            assertThat(context.getBean("prototype", Service.class).locate()).isEqualTo("own state");
            assertThat(context.getBean("scoped", Service.class).locate()).isEqualTo("own state");
        });
    }

    @Test
    void wrapsAProxyThatTakesNoMoreAdvice(CapturedOutput output) {
        StepContext.with(Frozen.class, Service.class).run(context -> {
            assertThat(context.getBean(Service.class).locate()).isEqualTo("own state");
            assertThat(((Advised) context.getBean(Service.class)).isFrozen()).isFalse();
            assertThat(output).doesNotContain("has no effect");
        });
    }

    @Test
    void proxiesByInterfaceWhereAsked() {
        StepContext.with(InterfaceService.class)
                .withPropertyValues("spring.aop.proxy-target-class=false")
                .run(context -> {
                    Locator locator = context.getBean(Locator.class);
                    assertThat(Proxy.isProxyClass(locator.getClass())).isTrue();
                    assertThat(locator.locate()).isEqualTo("fallback");
                });
    }

    @Test
    void stopsTheStartUpIfTheInterfaceProxyLacksTheMethod() {
        StepContext.with(HalfInterfaceService.class)
                .withPropertyValues("spring.aop.proxy-target-class=false")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(InvalidSetupException.class)
                        .hasMessageContaining("HalfInterfaceService.other()")
                        .hasMessageContaining("spring.aop.proxy-target-class"));
    }

    @Test
    void warnsOfABeanThatWasMadeTooEarly(CapturedOutput output) {
        StepContext.with(EarlyBirds.class, Service.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(output)
                    .contains("@Step at " + Service.class.getName() + ".locate() has no effect")
                    .contains("ObjectProvider");
        });
    }

    @Test
    void warnsOfABeanThatWasRegisteredByHand(CapturedOutput output) {
        StepContext.runner()
                .withInitializer(context -> context.getBeanFactory().registerSingleton("byHand", new Service()))
                .run(context -> assertThat(output).contains("the bean 'byHand' was made before"));
    }

    @Test
    void advisesWhatASchedulerCalls() {
        StepContext.with(Jobs.class, Job.class)
                .run(context -> await().atMost(Duration.ofSeconds(20))
                        .untilAsserted(() -> assertThat(context.getBean(Recorder.class).steps)
                                .extracting(event -> event.step())
                                .contains("job")));
    }

    @Test
    void makesNothingBeforeItsTime(CapturedOutput output) {
        StepContext.with(Service.class)
                .run(context -> assertThat(output)
                        .doesNotContain("is not eligible for getting processed by all BeanPostProcessors"));
    }

    @Test
    void checksLazyBeansWhenTheyAreMade() {
        StepContext.with(LazyBeans.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(catchThrowable(() -> context.getBean(WrongService.class)))
                    .hasRootCauseInstanceOf(InvalidSetupException.class);
        });
    }

    interface Locator {

        @Step(name = "locator", onTimeout = OPEN, fallback = "fallback")
        String locate();

        default String fallback() {
            return "fallback";
        }
    }

    interface GeoClient {

        @GetExchange("/geo")
        @Step(name = "geo", onTimeout = OPEN, fallback = "noGeo")
        String locate(String address);

        default String noGeo(String address, StepFailedException failure) {
            return address + ": " + failure.reason().code();
        }
    }

    @Configuration
    static class HttpInterfaces {

        @Bean
        GeoClient geoClient() {
            return HttpServiceProxyFactory.builderFor(new Unreachable())
                    .customArgumentResolver((argument, parameter, values) -> true)
                    .build()
                    .createClient(GeoClient.class);
        }
    }

    @Configuration
    static class ForeignProxy {

        @Bean
        Locator locator() {
            return (Locator) Proxy.newProxyInstance(
                    Locator.class.getClassLoader(), new Class<?>[] {Locator.class}, (proxy, method, arguments) -> {
                        if (method.getName().equals("locate")) {
                            throw new UncheckedIOException(new IOException());
                        }
                        return method.isDefault()
                                ? java.lang.reflect.InvocationHandler.invokeDefault(proxy, method, arguments)
                                : method.getName();
                    });
        }
    }

    @Configuration
    static class Lambda {

        @Bean
        Locator locator() {
            return () -> {
                throw new UncheckedIOException(new IOException());
            };
        }
    }

    static class Service {

        private final String state = "own state";

        @Step(name = "service", onTimeout = OPEN, fallback = "fallback")
        public String locate() {
            throw new UncheckedIOException(new IOException());
        }

        private String fallback() {
            return this.state;
        }
    }

    static class ServiceFactory implements FactoryBean<Service> {

        @Override
        public Service getObject() {
            return new Service();
        }

        @Override
        public Class<?> getObjectType() {
            return Service.class;
        }
    }

    @Configuration
    static class Prototypes {

        @Bean
        @Scope("prototype")
        Service prototype() {
            return new Service();
        }

        @Bean
        @Scope(scopeName = "prototype", proxyMode = ScopedProxyMode.TARGET_CLASS)
        Service scoped() {
            return new Service();
        }
    }

    static class Frozen implements BeanPostProcessor {

        @Override
        public Object postProcessAfterInitialization(Object bean, String beanName) {
            if (!(bean instanceof Service)) {
                return bean;
            }
            ProxyFactory factory = new ProxyFactory(bean);
            factory.setProxyTargetClass(true);
            factory.setFrozen(true);
            return factory.getProxy();
        }
    }

    @Configuration
    @EnableScheduling
    static class Jobs {}

    static class Job {

        @Scheduled(fixedDelay = 1000)
        @Step(name = "job", onTimeout = OPEN)
        public void run() {}
    }

    static class InterfaceService implements Locator {

        @Override
        public String locate() {
            throw new UncheckedIOException(new IOException());
        }
    }

    static class HalfInterfaceService extends InterfaceService {

        @Step(name = "other", onTimeout = OPEN)
        public void other() {}
    }

    @Configuration
    static class EarlyBirds {

        @Bean
        static EarlyBird earlyBird(Service service) {
            return new EarlyBird();
        }
    }

    static class EarlyBird implements BeanPostProcessor, PriorityOrdered {

        @Override
        public int getOrder() {
            return 0;
        }
    }

    static class WrongService {

        @Step(name = "wrong", onTimeout = OnTimeout.OPEN)
        public String wrong() {
            return "";
        }
    }

    @Configuration
    static class LazyBeans {

        @Bean
        @Lazy
        WrongService wrongService() {
            return new WrongService();
        }
    }

    private static final class Unreachable implements HttpExchangeAdapter {

        @Override
        public boolean supportsRequestAttributes() {
            return false;
        }

        @Override
        public void exchange(HttpRequestValues requestValues) {
            throw new UncheckedIOException(new IOException());
        }

        @Override
        public HttpHeaders exchangeForHeaders(HttpRequestValues requestValues) {
            throw new UncheckedIOException(new IOException());
        }

        @Override
        public <T> T exchangeForBody(HttpRequestValues requestValues, ParameterizedTypeReference<T> bodyType) {
            throw new UncheckedIOException(new IOException());
        }

        @Override
        public ResponseEntity<Void> exchangeForBodilessEntity(HttpRequestValues requestValues) {
            throw new UncheckedIOException(new IOException());
        }

        @Override
        public <T> ResponseEntity<T> exchangeForEntity(
                HttpRequestValues requestValues, ParameterizedTypeReference<T> bodyType) {
            throw new UncheckedIOException(new IOException());
        }
    }
}
