package dev.deadline.autoconfigure;

import dev.deadline.propagation.DeadlineTaskDecorator;
import java.util.List;
import java.util.function.Consumer;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.core.task.TaskDecorator;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;

/**
 * Makes executors carry deadlines to their tasks, on top of whatever decorates those already.
 *
 * <p>An executor has one decorator, which can be set but not asked for. It may have come from a bean, from a builder or
 * from another customizer, and replacing it would lose what the application carries by it. So the field is read.
 */
final class CarryingExecutors {

    private static final Log logger = LogFactory.getLog(CarryingExecutors.class);

    private static final String FIELD = "taskDecorator";

    private CarryingExecutors() {}

    static void decorate(ThreadPoolTaskExecutor executor) {
        decorate(executor, executor::setTaskDecorator);
    }

    static void decorate(SimpleAsyncTaskExecutor executor) {
        decorate(executor, executor::setTaskDecorator);
    }

    private static void decorate(Object executor, Consumer<TaskDecorator> setter) {
        TaskDecorator present;
        try {
            present = (TaskDecorator) new DirectFieldAccessor(executor).getPropertyValue(FIELD);
        } catch (RuntimeException ex) {
            logger.warn(
                    "An executor is left as it is and carries no deadlines, as its task decorator cannot be read. "
                            + "Declare a ContextPropagatingTaskDecorator bean instead.",
                    ex);
            return;
        }
        setter.accept(DeadlineTaskDecorator.around(present));
    }

    /** Keeps the field in native images. */
    static void registerHints(RuntimeHints hints) {
        for (Class<?> executor : List.of(ThreadPoolTaskExecutor.class, SimpleAsyncTaskExecutor.class)) {
            hints.reflection().registerType(executor, hint -> hint.withField(FIELD));
        }
    }
}
