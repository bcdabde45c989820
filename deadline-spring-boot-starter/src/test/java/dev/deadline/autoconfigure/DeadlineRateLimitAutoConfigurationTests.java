package dev.deadline.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.benmanes.caffeine.cache.Caffeine;
import dev.deadline.engine.InvalidSetupException;
import dev.deadline.gateway.Bouncer;
import dev.deadline.gateway.LimitStore;
import dev.deadline.gateway.LocalLimitStore;
import dev.deadline.gateway.RequestToken;
import dev.deadline.gateway.SharedLimitStore;
import dev.deadline.gateway.TokenBouncer;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.redis.lettuce.Bucket4jLettuce;
import io.lettuce.core.RedisClient;
import jakarta.servlet.DispatcherType;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Consumer;
import org.apache.catalina.filters.SetCharacterEncodingFilter;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableWebApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.web.servlet.DelegatingFilterProxyRegistrationBean;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.mock.web.MockHttpServletRequest;

@ExtendWith(OutputCaptureExtension.class)
class DeadlineRateLimitAutoConfigurationTests {

    private static final String PREFIX = "deadline.gateway.rate-limit.";

    private static final AutoConfigurations CONFIGURATIONS = AutoConfigurations.of(
            DeadlineAutoConfiguration.class,
            DeadlineServletAutoConfiguration.class,
            DeadlineGatewayAutoConfiguration.class,
            DeadlineRedisRateLimitAutoConfiguration.class,
            DeadlineRateLimitAutoConfiguration.class,
            RedisAutoConfiguration.class);

    private final WebApplicationContextRunner empty =
            new WebApplicationContextRunner().withConfiguration(CONFIGURATIONS);

    private final WebApplicationContextRunner limited =
            this.empty.withPropertyValues(PREFIX + "rules[0].limit=1", PREFIX + "rules[0].burst=2");

    private final WebApplicationContextRunner byToken = this.limited.withPropertyValues(PREFIX + "rules[0].key=token");

    @Test
    void keepsLimitsInThisProcess() {
        this.limited.run(context -> {
            Bouncer bouncer = context.getBean(Bouncer.class);
            MockHttpServletRequest request = new MockHttpServletRequest("GET", "/");
            assertThat(context.getBean(LimitStore.class)).isInstanceOf(LocalLimitStore.class);
            assertThat(context).doesNotHaveBean(TokenBouncer.class);
            assertThat(bouncer.check(request)).isNull();
            assertThat(bouncer.check(request)).isNull();
            assertThat(bouncer.check(request)).isNotNull();
        });
    }

    @Test
    void needsNeitherRedisNorBucket4jNorCaffeineWithoutRules() {
        this.empty
                .withClassLoader(
                        new FilteredClassLoader(Bucket.class, Bucket4jLettuce.class, Caffeine.class, RedisClient.class))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(Bouncer.class));
    }

    @ParameterizedTest
    @CsvSource({"deadline.gateway.enabled=false", "deadline.gateway.rate-limit.mode=off", "deadline.enabled=false"})
    void isAbsentWhenSwitchedOff(String property) {
        this.limited
                .withPropertyValues(property)
                .run(context -> assertThat(context).doesNotHaveBean(Bouncer.class));
    }

    @Test
    void isAbsentInApplicationsWithoutServlets() {
        new ApplicationContextRunner()
                .withConfiguration(CONFIGURATIONS)
                .withPropertyValues(PREFIX + "rules[0].limit=1")
                .withClassLoader(new FilteredClassLoader(Bucket.class))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(Bouncer.class));
    }

    @Test
    void saysWhichArtifactIsMissing() {
        failsWithout(Bucket.class, this.limited, "com.bucket4j:bucket4j_jdk17-core");
        failsWithout(Caffeine.class, this.limited, "com.github.ben-manes.caffeine:caffeine");
        WebApplicationContextRunner shared = this.limited.withPropertyValues(PREFIX + "store=redis");
        failsWithout(Bucket4jLettuce.class, shared, "com.bucket4j:bucket4j_jdk17-lettuce");
        failsWithout(RedisClient.class, shared, "io.lettuce:lettuce-core");
    }

    private static void failsWithout(Class<?> type, WebApplicationContextRunner runner, String artifact) {
        runner.withClassLoader(new FilteredClassLoader(type))
                .run(context -> assertThat(invalid(context).problem()).contains(artifact));
    }

    private static InvalidSetupException invalid(AssertableWebApplicationContext context) {
        assertThat(context).hasFailed();
        Throwable failure = context.getStartupFailure();
        while (!(failure instanceof InvalidSetupException)) {
            assertThat(failure).isNotNull();
            failure = failure.getCause();
        }
        return (InvalidSetupException) failure;
    }

    @ParameterizedTest
    @CsvSource({
        "rules[0].limit=0, rules[0].limit",
        "rules[0].limit=-1, rules[0].limit",
        "rules[0].burst=0, rules[0].burst",
        "rules[0].burst=1000000001, rules[0].burst",
        "rules[0].period=0s, rules[0].period",
        "rules[0].period=-1s, rules[0].period",
        "rules[0].period=400d, rules[0].period",
        "rules[0].paths=, rules[0].paths",
        "rules[0].paths=/{a, rules[0].paths",
        "rules[1].paths=/x, rules[1] has no limit",
        "max-keys=0, max-keys",
        "ipv4-prefix=0, ipv4-prefix",
        "ipv4-prefix=33, ipv4-prefix",
        "ipv6-prefix=0, ipv6-prefix",
        "ipv6-prefix=129, ipv6-prefix",
        "shared-token-addresses=1, shared-token-addresses",
        "shared-token-addresses=201, shared-token-addresses",
        "ban.after=0, ban.after",
        "ban.first=0s, ban.first",
        "ban.first=2h, ban.first",
        "ban.max=-1s, ban.max",
        "redis.timeout=0ms, redis.timeout"
    })
    void stopsTheStartUpForWhatCannotBeMeant(String property, String named) {
        List<String> properties = new ArrayList<>(List.of(PREFIX + property));
        if (!property.startsWith("rules[1]") && !property.startsWith("rules[0].paths")) {
            properties.add(PREFIX + "rules[0].paths=/**");
        }
        this.limited.withPropertyValues(properties.toArray(String[]::new)).run(context -> {
            InvalidSetupException invalid = invalid(context);
            assertThat(invalid.problem()).contains(named).endsWith(".");
            assertThat(invalid.remedy()).endsWith(".");
        });
    }

    @Test
    void stopsTheStartUpForMoreThanOneRequestInANanosecond() {
        this.limited
                .withPropertyValues(PREFIX + "rules[0].limit=2000", PREFIX + "rules[0].period=1us")
                .run(context -> assertThat(invalid(context).problem()).contains("nanosecond"));
    }

    @Test
    void limitsTokensOnceThereIsARuleForThem() {
        this.byToken.run(context -> {
            assertThat(context).hasSingleBean(RequestToken.class);
            TokenBouncer bouncer = context.getBean(TokenBouncer.class);
            MockHttpServletRequest request = new MockHttpServletRequest("GET", "/");
            request.setUserPrincipal(() -> "anna");
            assertThat(bouncer.check(request)).isNull();
            assertThat(bouncer.check(request)).isNull();
            assertThat(bouncer.check(request)).isNotNull();
            assertThat(context.getBean(Bouncer.class).check(request)).isNull();
            FilterRegistrationBean<?> registration = tokenFilter(context);
            assertThat(registration.getOrder()).isEqualTo(-99);
            assertThat(registration.determineDispatcherTypes()).isEqualTo(EnumSet.of(DispatcherType.REQUEST));
        });
    }

    private static FilterRegistrationBean<?> tokenFilter(AssertableWebApplicationContext context) {
        return context.getBean("deadlineTokenLimitFilter", FilterRegistrationBean.class);
    }

    private static DelegatingFilterProxyRegistrationBean security(int order) {
        DelegatingFilterProxyRegistrationBean registration =
                new DelegatingFilterProxyRegistrationBean("springSecurityFilterChain");
        registration.setOrder(order);
        return registration;
    }

    @ParameterizedTest
    @CsvSource({
        "-100, , -99, false",
        "50, , 51, false",
        "2147483647, , 2147483647, true",
        "50, 60, 60, false",
        "50, 50, 50, true",
        "50, -99, -99, true"
    })
    void comesBehindSpringSecurityOrWarns(
            int security, @Nullable Integer configured, int order, boolean warns, CapturedOutput output) {
        String warning = "limits by token has the order " + order + ", and that of Spring Security " + security;
        WebApplicationContextRunner secured = this.byToken.withBean(
                "securityFilterChainRegistration",
                DelegatingFilterProxyRegistrationBean.class,
                () -> security(security));
        ((configured == null) ? secured : secured.withPropertyValues(PREFIX + "token-filter-order=" + configured))
                .run(context -> {
                    assertThat(tokenFilter(context).getOrder()).isEqualTo(order);
                    assertThat(output.getAll().contains(warning)).isEqualTo(warns);
                });
    }

    /** Who says itself what a token is may have another filter that accepts it. */
    @Test
    void warnsNotOfTheOrderWhereTheApplicationKnowsTheTokens(CapturedOutput output) {
        this.byToken
                .withPropertyValues(PREFIX + "token-filter-order=-200")
                .withBean(RequestToken.class, () -> request -> null)
                .withBean(
                        "securityFilterChainRegistration",
                        DelegatingFilterProxyRegistrationBean.class,
                        () -> security(-100))
                .run(context -> {
                    assertThat(tokenFilter(context).getOrder()).isEqualTo(-200);
                    assertThat(output).doesNotContain("token-filter-order");
                });
    }

    @Test
    void letsTheApplicationSayWhatATokenIs() {
        RequestToken own = request -> null;
        this.byToken
                .withBean(RequestToken.class, () -> own)
                .run(context -> assertThat(context.getBean(RequestToken.class)).isSameAs(own));
    }

    /** Who says itself what a token is may have its own way of knowing who was accepted. */
    @Test
    void warnsNotOfTokensThatTheApplicationKnows(CapturedOutput output) {
        this.byToken
                .withBean(RequestToken.class, () -> request -> request.getHeader("X-Api-Key"))
                .run(context -> assertThat(output).doesNotContain("so that they limit nothing"));
    }

    @Test
    void warnsOfTokensThatNobodyAccepts(CapturedOutput output) {
        this.byToken.run(context -> assertThat(output).contains("so that they limit nothing"));
    }

    @Test
    void warnsNotWhereAFilterMayAuthenticate(CapturedOutput output) {
        this.byToken
                .withBean(SetCharacterEncodingFilter.class)
                .run(context -> assertThat(output).doesNotContain("so that they limit nothing"));
        this.byToken
                .withBean("springSecurityFilterChain", Object.class, Object::new)
                .run(context -> assertThat(output).doesNotContain("so that they limit nothing"));
    }

    @Test
    void startsWithoutRedisBeingThere() {
        this.limited
                .withPropertyValues(PREFIX + "store=redis", "spring.data.redis.port=1")
                .run(context -> {
                    assertThat(context.getBean(LimitStore.class)).isInstanceOf(SharedLimitStore.class);
                    assertThat(context.getBean(Bouncer.class).check(new MockHttpServletRequest("GET", "/")))
                            .isNull();
                });
    }

    @Test
    void wantsASecretForTokensInRedis() {
        WebApplicationContextRunner shared = this.byToken.withPropertyValues(PREFIX + "store=redis");
        shared.run(context -> assertThat(invalid(context).problem()).contains("redis.token-secret", "is not set"));
        shared.withPropertyValues(PREFIX + "redis.token-secret=short")
                .run(context -> assertThat(invalid(context).problem())
                        .contains("redis.token-secret", "is too short")
                        .doesNotContain("short,"));
        shared.withPropertyValues(PREFIX + "redis.token-secret=0123456789abcdef")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void wantsAConnectionFactoryOfLettuceForRedis() {
        new WebApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        DeadlineAutoConfiguration.class,
                        DeadlineRedisRateLimitAutoConfiguration.class,
                        DeadlineRateLimitAutoConfiguration.class))
                .withPropertyValues(PREFIX + "rules[0].limit=1", PREFIX + "store=redis")
                .run(context -> assertThat(invalid(context).remedy()).contains("LettuceConnectionFactory"));
    }

    @Test
    void backsOffForAnotherStore() {
        LimitStore own = (rule, client) -> 5;
        Consumer<AssertableWebApplicationContext> usesIt =
                context -> assertThat(context.getBean(LimitStore.class)).isSameAs(own);
        this.limited.withBean(LimitStore.class, () -> own).run(usesIt::accept);
        this.limited
                .withPropertyValues(PREFIX + "store=redis")
                .withBean(LimitStore.class, () -> own)
                .run(usesIt::accept);
    }

    /** C67. */
    @ParameterizedTest
    @CsvSource({
        "framework, TomcatServletWebServerFactory, all clients of a proxy are one",
        "NATIVE, JettyServletWebServerFactory, clients can make up addresses",
        "native, TomcatServletWebServerFactory,",
        "none, JettyServletWebServerFactory,"
    })
    void warnsOfForwardedAddressesThatAnybodyMaySend(
            String strategy, String server, @Nullable String warning, CapturedOutput output) {
        Class<?> type =
                server.startsWith("Tomcat") ? TomcatServletWebServerFactory.class : JettyServletWebServerFactory.class;
        this.limited
                .withPropertyValues("server.forward-headers-strategy=" + strategy)
                .withBean("webServerFactory", type)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    if (warning != null) {
                        assertThat(output).contains(warning);
                    } else {
                        assertThat(output).doesNotContain("server.forward-headers-strategy");
                    }
                });
    }

    /** Called as those of Spring Boot, one of whose containers is not on the class path of these tests. */
    static final class JettyServletWebServerFactory {}

    static final class TomcatServletWebServerFactory {}
}
