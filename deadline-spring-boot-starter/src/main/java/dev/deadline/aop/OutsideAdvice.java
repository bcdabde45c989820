package dev.deadline.aop;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.springframework.aop.Advisor;
import org.springframework.aop.IntroductionAdvisor;
import org.springframework.aop.Pointcut;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.aspectj.AspectJPrecedenceInformation;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.interceptor.ExposeInvocationInterceptor;
import org.springframework.util.ClassUtils;

/** Finds the advice that a call meets before it comes to its step. */
final class OutsideAdvice {

    private OutsideAdvice() {}

    /**
     * What advises a method outside of one advisor, over all proxies of the bean.
     *
     * @return empty also if that advisor is not there
     */
    static List<Advisor> of(Object bean, Method method, Advisor inner) {
        Class<?> target = AopProxyUtils.ultimateTargetClass(bean);
        List<Advisor> outside = new ArrayList<>();
        Object layer = bean;
        while (layer instanceof Advised advised) {
            for (Advisor advisor : advised.getAdvisors()) {
                if (advisor == inner) {
                    return outside;
                }
                if (applies(advisor, method, target)) {
                    outside.add(advisor);
                }
            }
            layer = AopProxyUtils.getSingletonTarget(layer);
        }
        return List.of();
    }

    /** Advice as people know it: by the name of the aspect, or by class. */
    static String nameOf(Advisor advisor) {
        return (advisor instanceof AspectJPrecedenceInformation aspect)
                ? "aspect '" + aspect.getAspectName() + "'"
                : "advice " + ClassUtils.getUserClass(advisor.getAdvice()).getName();
    }

    // As Spring decides itself when it makes the chain of a method.
    private static boolean applies(Advisor advisor, Method method, Class<?> target) {
        if (advisor == ExposeInvocationInterceptor.ADVISOR) {
            // Only lets the aspects next to it know of the call.
            return false;
        }
        if (advisor instanceof PointcutAdvisor selective) {
            Pointcut pointcut = selective.getPointcut();
            return pointcut.getClassFilter().matches(target)
                    && pointcut.getMethodMatcher().matches(method, target);
        }
        // An introduction adds methods and leaves those of the bean alone.
        return !(advisor instanceof IntroductionAdvisor);
    }
}
