package dev.deadline.aop;

import dev.deadline.engine.InvalidSetupException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import org.springframework.aop.support.AopUtils;
import org.springframework.util.ClassUtils;

/** Tells the methods that calls through a proxy can reach from those where an annotation would silently do nothing. */
final class StepMethodCheck {

    private StepMethodCheck() {}

    /**
     * @throws InvalidSetupException if no proxy of the bean can ever advise the method
     */
    static void check(Method method, Class<?> beanType) {
        int modifiers = method.getModifiers();
        String place = "The method " + Signatures.place(method) + " has @Step, but ";
        if (Modifier.isPrivate(modifiers)) {
            throw new InvalidSetupException(
                    place + "is private, so that the annotation has no effect.",
                    "Make it visible to the other bean that calls it; calls from within its own bean are never advised.");
        }
        if (Modifier.isStatic(modifiers)) {
            throw new InvalidSetupException(
                    place + "is static, so that the annotation has no effect.", "Make it a method of the bean.");
        }
        if (isProxiedByInterfaceOnly(beanType)) {
            if (!isInInterface(method, beanType, beanType)) {
                throw new InvalidSetupException(
                        place + "its class can have no subclass, so that the annotation has no effect.",
                        "Remove 'final' (or 'sealed') from " + beanType.getName()
                                + ", or declare the method in an interface that it implements.");
            }
        } else if (Modifier.isFinal(modifiers)) {
            throw new InvalidSetupException(
                    place + "is final, so that the annotation has no effect.", "Remove 'final' from it.");
        }
    }

    /** Whether a class can have no subclass that is its proxy. */
    static boolean isProxiedByInterfaceOnly(Class<?> beanType) {
        return Modifier.isFinal(beanType.getModifiers())
                || beanType.isSealed()
                || Proxy.isProxyClass(beanType)
                || ClassUtils.isLambdaClass(beanType);
    }

    /**
     * Whether one of the interfaces of a class declares a method.
     *
     * @param method as the bean's class has it
     * @param interfaces that of the bean, or of its proxy
     */
    static boolean isInInterface(Method method, Class<?> beanType, Class<?> interfaces) {
        if (method.getDeclaringClass().isInterface()) {
            return true;
        }
        for (Class<?> type : ClassUtils.getAllInterfacesForClassAsSet(interfaces)) {
            for (Method candidate : type.getMethods()) {
                if (candidate.getName().equals(method.getName())
                        && AopUtils.getMostSpecificMethod(candidate, beanType).equals(method)) {
                    return true;
                }
            }
        }
        return false;
    }
}
