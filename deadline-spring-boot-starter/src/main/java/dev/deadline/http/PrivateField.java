package dev.deadline.http;

import java.lang.reflect.Field;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ReflectionUtils;

/**
 * What a class of Spring's keeps to itself, found by its type: the only way to the exchange that has to be ended. If a
 * release of Spring has it no more, that is logged once and the caller does without.
 *
 * @param <T> the type of the field
 */
final class PrivateField<T> {

    private static final Log logger = LogFactory.getLog(PrivateField.class);

    private final Class<T> type;

    private final ClassValue<@Nullable Field> fields = new ClassValue<>() {
        @Override
        protected @Nullable Field computeValue(Class<?> owner) {
            return find(owner);
        }
    };

    PrivateField(Class<T> type) {
        this.type = type;
    }

    private @Nullable Field find(Class<?> owner) {
        RuntimeException failure = null;
        try {
            Field field = ReflectionUtils.findField(owner, null, this.type);
            if (field != null) {
                field.setAccessible(true);
                return field;
            }
        } catch (RuntimeException ex) {
            failure = ex;
        }
        logger.warn(
                "No " + this.type.getSimpleName() + " can be read from " + owner.getName()
                        + ". Deadlines are enforced on it as far as that goes without; another release of Deadline or"
                        + " Spring may mend this.",
                failure);
        return null;
    }

    /** Its value in an object of Spring's; null if it has none or cannot be read. */
    @Nullable
    T in(Object owner) {
        Field field = this.fields.get(owner.getClass());
        return (field != null) ? this.type.cast(ReflectionUtils.getField(field, owner)) : null;
    }

    /**
     * Replaces its value. Returns whether that was possible.
     *
     * @param declaring the class that it belongs to: a class derived from that may have another one of the type
     */
    <O> boolean replace(Class<? super O> declaring, O owner, T value) {
        Field field = this.fields.get(declaring);
        if (field == null) {
            return false;
        }
        try {
            field.set(owner, value);
            return true;
        } catch (IllegalAccessException | RuntimeException ex) {
            logger.warn(
                    "The " + this.type.getSimpleName() + " in "
                            + owner.getClass().getName() + " cannot be replaced",
                    ex);
            return false;
        }
    }
}
