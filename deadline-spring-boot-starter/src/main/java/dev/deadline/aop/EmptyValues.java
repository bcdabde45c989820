package dev.deadline.aop;

import static java.util.Map.entry;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/**
 * What an open step without a fallback answers: nothing, in the form that its return type has for it.
 *
 * <p>A {@code CompletionStage} or {@code Mono} of a type with an empty value has that value: a {@code
 * Mono<List<Offer>>} emits an empty list, for if it emitted nothing a {@code zip} around it would lose all the rest. Any
 * other {@code Mono}, and every {@code Flux}, is empty.
 */
final class EmptyValues {

    private static final boolean REACTOR_PRESENT =
            ClassUtils.isPresent("reactor.core.publisher.Mono", EmptyValues.class.getClassLoader());

    private static final Map<Class<?>, Supplier<@Nullable Object>> PLAIN = Map.ofEntries(
            entry(void.class, () -> null),
            entry(Void.class, () -> null),
            entry(Optional.class, Optional::empty),
            entry(OptionalInt.class, OptionalInt::empty),
            entry(OptionalLong.class, OptionalLong::empty),
            entry(OptionalDouble.class, OptionalDouble::empty),
            entry(Iterable.class, List::of),
            entry(Collection.class, List::of),
            entry(List.class, List::of),
            entry(Set.class, Set::of),
            entry(Map.class, Map::of),
            entry(Stream.class, Stream::empty));

    private EmptyValues() {}

    /** Makes the empty value of a return type, anew for each call; null if it has none. */
    static @Nullable Supplier<@Nullable Object> of(ResolvableType type) {
        Class<?> raw = type.toClass();
        Supplier<@Nullable Object> plain = PLAIN.get(raw);
        if (plain != null) {
            return plain;
        }
        Supplier<@Nullable Object> content = PLAIN.get(type.getGeneric(0).toClass());
        if (raw == CompletionStage.class || raw == CompletableFuture.class) {
            return (content != null) ? () -> CompletableFuture.completedFuture(content.get()) : null;
        }
        return REACTOR_PRESENT ? Reactor.of(raw, content) : null;
    }

    /** Loaded only where Reactor is. */
    private static final class Reactor {

        static @Nullable Supplier<@Nullable Object> of(Class<?> raw, @Nullable Supplier<@Nullable Object> content) {
            if (raw == reactor.core.publisher.Mono.class) {
                return (content != null)
                        ? () -> reactor.core.publisher.Mono.justOrEmpty(content.get())
                        : reactor.core.publisher.Mono::empty;
            }
            return (raw == reactor.core.publisher.Flux.class) ? reactor.core.publisher.Flux::empty : null;
        }
    }
}
