package dev.deadline.autoconfigure;

import java.lang.reflect.Method;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;

/** What the method that makes a bean says that it is. */
final class DeclaredType {

    private DeclaredType() {}

    /** Whether that is an interface: then nobody can rely on more, and anything else with that interface can stand in. */
    static boolean isInterface(BeanFactory beans, String beanName) {
        if (!(beans instanceof ConfigurableListableBeanFactory factory) || !factory.containsBeanDefinition(beanName)) {
            return false;
        }
        BeanDefinition definition = factory.getMergedBeanDefinition(beanName);
        Method method = (definition instanceof RootBeanDefinition root) ? root.getResolvedFactoryMethod() : null;
        return method != null && method.getReturnType().isInterface();
    }
}
