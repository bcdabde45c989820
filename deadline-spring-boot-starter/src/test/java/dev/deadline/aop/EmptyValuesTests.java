package dev.deadline.aop;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.core.ResolvableType;
import org.springframework.util.ReflectionUtils;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

class EmptyValuesTests {

    @Test
    void isNothingOfItsKind() {
        assertThat(empty("nothing")).isNull();
        assertThat(empty("optional")).isEqualTo(Optional.empty());
        assertThat(empty("optionalInt")).isEqualTo(OptionalInt.empty());
        assertThat(empty("optionalLong")).isEqualTo(OptionalLong.empty());
        assertThat(empty("optionalDouble")).isEqualTo(OptionalDouble.empty());
        assertThat(empty("list")).isEqualTo(List.of());
        assertThat(empty("set")).isEqualTo(Set.of());
        assertThat(empty("map")).isEqualTo(Map.of());
        assertThat(empty("collection")).isEqualTo(List.of());
        assertThat(empty("iterable")).isEqualTo(List.of());
        assertThat((Stream<?>) empty("stream")).isEmpty();
    }

    @Test
    void completesAStageWithTheEmptyValueOfItsContent() {
        assertThat((CompletionStage<?>) empty("stageOfList"))
                .satisfies(
                        stage -> assertThat(stage.toCompletableFuture().join()).isEqualTo(List.of()));
        assertThat((CompletableFuture<?>) empty("futureOfNothing")).isCompletedWithValue(null);
    }

    @Test
    void makesAStageAnewForEachCall() {
        Supplier<?> supplier = EmptyValues.of(type("stageOfList"));

        assertThat(supplier.get()).isNotSameAs(supplier.get());
    }

    @Test
    void emitsTheEmptyValueOfItsContentSoThatAZipGoesOn() {
        Mono<?> mono = (Mono<?>) empty("monoOfList");

        Object first =
                mono.zipWith(Mono.just("rest")).block(Duration.ofSeconds(5)).getT1();
        assertThat(first).isEqualTo(List.of());
        assertThat(((Mono<?>) empty("monoOfOptional")).block(Duration.ofSeconds(5)))
                .isEqualTo(Optional.empty());
    }

    @Test
    void emitsNothingWhereTheContentHasNoEmptyValue() {
        assertThat(((Mono<?>) empty("monoOfString")).blockOptional(Duration.ofSeconds(5)))
                .isEmpty();
        assertThat(((Mono<?>) empty("monoOfNothing")).blockOptional(Duration.ofSeconds(5)))
                .isEmpty();
        assertThat(((Flux<?>) empty("flux")).collectList().block(Duration.ofSeconds(5)))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"string", "number", "flag", "object", "stageOfString", "rawStage", "subtype", "array"})
    void hasNoneForOtherTypes(String method) {
        assertThat(EmptyValues.of(type(method))).isNull();
    }

    @Test
    void doesWithoutReactor() throws Exception {
        try (FilteredClassLoader loader = new IsolatedClassLoader()) {
            Class<?> isolated = loader.loadClass(EmptyValues.class.getName());
            var of = isolated.getDeclaredMethod("of", ResolvableType.class);
            of.setAccessible(true);

            assertThat(isolated).isNotSameAs(EmptyValues.class);
            assertThat(((Supplier<?>) of.invoke(null, type("list"))).get()).isEqualTo(List.of());
            assertThat(of.invoke(null, type("flux"))).isNull();
        }
    }

    private static Object empty(String method) {
        return EmptyValues.of(type(method)).get();
    }

    private static ResolvableType type(String method) {
        return ResolvableType.forMethodReturnType(ReflectionUtils.findMethod(Results.class, method));
    }

    /** Defines the class under test itself, and knows no Reactor. */
    private static final class IsolatedClassLoader extends FilteredClassLoader {

        IsolatedClassLoader() {
            super("reactor");
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith(EmptyValues.class.getName())) {
                return super.loadClass(name, resolve);
            }
            try (var bytes = EmptyValues.class.getResourceAsStream("/" + name.replace('.', '/') + ".class")) {
                byte[] content = bytes.readAllBytes();
                return defineClass(name, content, 0, content.length);
            } catch (java.io.IOException ex) {
                throw new ClassNotFoundException(name, ex);
            }
        }
    }

    @SuppressWarnings({"rawtypes", "unused"})
    interface Results {

        void nothing();

        Optional<String> optional();

        OptionalInt optionalInt();

        OptionalLong optionalLong();

        OptionalDouble optionalDouble();

        List<String> list();

        Set<String> set();

        Map<String, String> map();

        Collection<String> collection();

        Iterable<String> iterable();

        Stream<String> stream();

        CompletionStage<List<String>> stageOfList();

        CompletableFuture<Void> futureOfNothing();

        Mono<List<String>> monoOfList();

        Mono<Optional<String>> monoOfOptional();

        Mono<String> monoOfString();

        Mono<Void> monoOfNothing();

        Flux<List<String>> flux();

        String string();

        int number();

        boolean flag();

        Object object();

        CompletionStage<String> stageOfString();

        CompletionStage rawStage();

        java.util.ArrayList<String> subtype();

        String[] array();
    }
}
