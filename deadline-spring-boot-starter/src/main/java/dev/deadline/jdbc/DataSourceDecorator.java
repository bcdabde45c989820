package dev.deadline.jdbc;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopConfigException;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.NameMatchMethodPointcut;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Makes the connections of data sources bounded. What is handed out in place of a data source is of the same class, as
 * applications inject pools by their types.
 */
public final class DataSourceDecorator {

    private static final Log logger = LogFactory.getLog(DataSourceDecorator.class);

    private static final boolean SPRING_JDBC = ClassUtils.isPresent(
            "org.springframework.jdbc.datasource.DelegatingDataSource", DataSourceDecorator.class.getClassLoader());

    private final Supplier<@Nullable JdbcDeadlines> deadlines;

    /**
     * @param deadlines asked when the first connection is wanted, and again as long as there is no answer
     */
    public DataSourceDecorator(Supplier<@Nullable JdbcDeadlines> deadlines) {
        this.deadlines = deadlines;
    }

    /**
     * Decorates a data source.
     *
     * @param name what to call it in the log
     * @param byInterface whether what stands in its place may have only its interfaces, if its class allows no more
     * @return what to use in its place; the data source itself where it delegates to another one, which is decorated
     */
    public DataSource decorate(DataSource dataSource, String name, boolean byInterface) {
        if (isDecorated(dataSource) || (SPRING_JDBC && Delegation.decorated(dataSource, name, this))) {
            return dataSource;
        }
        Class<?> type = dataSource.getClass();
        if (isExtensible(type)) {
            try {
                return proxy(dataSource, true);
            } catch (AopConfigException ex) {
                logger.debug("The class of data source '" + name + "' cannot be extended", ex);
            }
        }
        if (byInterface || !Modifier.isPublic(type.getModifiers())) {
            return proxy(dataSource, false);
        }
        logger.warn("The calls of data source '" + name + "' have no deadline, because its " + type
                + " cannot be extended. Declare the bean as javax.sql.DataSource.");
        return dataSource;
    }

    private static boolean isDecorated(DataSource dataSource) {
        return dataSource instanceof Advised advised
                && Arrays.stream(advised.getAdvisors()).anyMatch(each -> each.getAdvice() instanceof GuardedSource);
    }

    // On an object that stands for another one, a method that cannot be overridden would find its fields empty.
    private static boolean isExtensible(Class<?> type) {
        if (Modifier.isFinal(type.getModifiers()) || Proxy.isProxyClass(type)) {
            return false;
        }
        for (Method method : ReflectionUtils.getAllDeclaredMethods(type)) {
            int modifiers = method.getModifiers();
            boolean own = method.getDeclaringClass() != Object.class && !Modifier.isPrivate(modifiers);
            if (own && Modifier.isFinal(modifiers) && !Modifier.isStatic(modifiers)) {
                return false;
            }
        }
        return true;
    }

    private DataSource proxy(DataSource dataSource, boolean byClass) {
        ProxyFactory factory = new ProxyFactory();
        factory.setTarget(dataSource);
        factory.setInterfaces(ClassUtils.getAllInterfacesForClass(dataSource.getClass()));
        factory.setProxyTargetClass(byClass);
        NameMatchMethodPointcut connecting = new NameMatchMethodPointcut();
        connecting.setMappedName("getConnection");
        factory.addAdvisor(new DefaultPointcutAdvisor(connecting, new GuardedSource(dataSource, this.deadlines)));
        return (DataSource) factory.getProxy(dataSource.getClass().getClassLoader());
    }

    /** Loaded only where there is a Spring JDBC. */
    private static final class Delegation {

        // The wrapper stays as it is: it may put off connecting, which must not be forced by looking at its connection.
        static boolean decorated(DataSource dataSource, String name, DataSourceDecorator decorator) {
            if (!(dataSource instanceof DelegatingDataSource delegating)) {
                return false;
            }
            DataSource target = delegating.getTargetDataSource();
            if (target == null) {
                return false;
            }
            delegating.setTargetDataSource(decorator.decorate(target, "target of " + name, true));
            return true;
        }
    }
}
