package dev.deadline.autoconfigure;

import dev.deadline.gateway.ArrivalQueue;
import dev.deadline.gateway.TomcatQueue;
import org.apache.coyote.http11.Http11NioProtocol;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;

/**
 * Tomcat's queue: requests are stamped when they enter it, whether or not there is a gate, as their budgets start there.
 *
 * @since 0.1
 */
@AutoConfiguration(after = DeadlineAutoConfiguration.class)
@ConditionalOnDeadlineEnabled
@ConditionalOnProperty(name = "deadline.gateway.queue-stamp", matchIfMissing = true)
@ConditionalOnClass(Http11NioProtocol.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnMissingBean(ArrivalQueue.class)
@ImportRuntimeHints(TomcatHints.class)
public final class DeadlineTomcatAutoConfiguration {

    @Bean
    TomcatQueue deadlineTomcatQueue() {
        return new TomcatQueue();
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "org.springframework.boot.web.embedded.tomcat.TomcatServletWebServerFactory")
    static class Boot3 {

        @Bean
        Boot3TomcatCustomizer deadlineBoot3TomcatCustomizer(TomcatQueue queue) {
            return new Boot3TomcatCustomizer(queue);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "org.springframework.boot.tomcat.TomcatWebServerFactory")
    static class Boot4 {

        @Bean
        Boot4TomcatCustomizer deadlineBoot4TomcatCustomizer(TomcatQueue queue) {
            return new Boot4TomcatCustomizer(queue);
        }
    }
}
