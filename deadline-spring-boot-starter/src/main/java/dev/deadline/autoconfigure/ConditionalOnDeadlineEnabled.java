package dev.deadline.autoconfigure;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;

/** Every auto-configuration of this library: nothing of it is there with {@code deadline.enabled=false}. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@ConditionalOnProperty(name = "deadline.enabled", matchIfMissing = true)
@interface ConditionalOnDeadlineEnabled {}
