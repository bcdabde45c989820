package dev.deadline.autoconfigure;

import dev.deadline.servlet.DeadlineArgumentResolver;
import dev.deadline.servlet.DeadlineExceptionResolver;
import dev.deadline.servlet.OwnHandlers;
import java.util.List;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * What Spring MVC has to know: the deadline as an argument of controller methods, and what becomes of our exceptions.
 *
 * @since 0.1
 */
@AutoConfiguration(after = DeadlineServletAutoConfiguration.class)
@ConditionalOnDeadlineEnabled
@ConditionalOnClass(WebMvcConfigurer.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
public final class DeadlineWebMvcAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    DeadlineExceptionResolver deadlineExceptionResolver(ApplicationContext context) {
        return new DeadlineExceptionResolver(new OwnHandlers(context));
    }

    // A configuration of its own, so that MVC's beans can be made before any other of ours.
    @Configuration(proxyBeanMethods = false)
    static final class Arguments implements WebMvcConfigurer {

        @Override
        public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
            resolvers.add(new DeadlineArgumentResolver());
        }
    }
}
