package dev.deadline.autoconfigure;

import jakarta.servlet.Filter;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.web.servlet.RegistrationBean;
import org.springframework.core.ResolvableType;

/** Looks for something that could accept the tokens that there are limits for. */
final class AuthenticationCheck {

    private static final Log logger = LogFactory.getLog(AuthenticationCheck.class);

    // Spring Boot's registration of Spring Security's filter.
    private static final String SECURITY = "securityFilterChainRegistration";

    private AuthenticationCheck() {}

    /** Warns if there is neither Spring Security nor a filter of the application. */
    static void warnWithoutAny(ConfigurableListableBeanFactory beanFactory) {
        if (!beanFactory.containsBean("springSecurityFilterChain") && !hasOwnFilter(beanFactory)) {
            logger.warn("There are deadline.gateway.rate-limit.rules with the key 'token', but neither Spring Security "
                    + "nor a filter that could authenticate a request, so that they limit nothing. Add what "
                    + "authenticates, or use the key 'address'.");
        }
    }

    /**
     * The order of Spring Security's filter.
     *
     * @return null if there is none
     */
    static @Nullable Integer securityOrder(ConfigurableListableBeanFactory beanFactory) {
        return beanFactory.containsBean(SECURITY) && beanFactory.isTypeMatch(SECURITY, RegistrationBean.class)
                ? (Integer)
                        beanFactory.getBean(SECURITY, RegistrationBean.class).getOrder()
                : null;
    }

    /** Warns if a filter of this order does not know yet what Spring Security accepts. */
    static void warnIfNotBehind(@Nullable Integer securityOrder, int order) {
        if (securityOrder != null && order <= securityOrder) {
            logger.warn("The filter that limits by token has the order " + order + ", and that of Spring Security "
                    + securityOrder + ", so that what is accepted there is not known yet and not limited. Set "
                    + "deadline.gateway.rate-limit.token-filter-order to more than spring.security.filter.order.");
        }
    }

    private static boolean hasOwnFilter(ConfigurableListableBeanFactory beanFactory) {
        for (String name : beanFactory.getBeanNamesForType(Filter.class, true, false)) {
            if (isOwn(beanFactory.getType(name, false))) {
                return true;
            }
        }
        for (String name : beanFactory.getBeanNamesForType(FilterRegistrationBean.class, true, false)) {
            if (beanFactory.containsBeanDefinition(name)) {
                BeanDefinition definition = beanFactory.getMergedBeanDefinition(name);
                ResolvableType type = definition.getResolvableType().as(FilterRegistrationBean.class);
                if (isOwn(type.getGeneric(0).resolve(Filter.class))) {
                    return true;
                }
            }
        }
        return false;
    }

    // A filter whose class is not known may be anything.
    private static boolean isOwn(@Nullable Class<?> type) {
        return type == null
                || !(type.getName().startsWith("org.springframework.")
                        || type.getName().startsWith("dev.deadline."));
    }
}
