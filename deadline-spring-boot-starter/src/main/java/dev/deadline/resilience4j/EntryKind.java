package dev.deadline.resilience4j;

import io.github.resilience4j.core.Registry;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * One of the six kinds of things that Resilience4j keeps in registries.
 *
 * @param entry the interface that its users see
 * @param config the class of its configuration
 * @param all lists the entries of a registry
 * @param existing describes an entry
 * @param creation makes an entry, if there is none of that name
 * @param within changes the configuration of an entry to be made
 * @param bounding what is handed out in place of an entry
 */
record EntryKind<R extends Registry<E, C>, E, C>(
        Class<E> entry,
        Class<C> config,
        Function<R, Set<E>> all,
        Function<E, Existing<C>> existing,
        Creation<R, E, C> creation,
        UnaryOperator<C> within,
        UnaryOperator<E> bounding) {

    /** What an entry was made of. */
    record Existing<C>(String name, C config, Map<String, String> tags) {}

    /** A method of the registry. */
    interface Creation<R, E, C> {

        E create(R registry, String name, C config, Map<String, String> tags);
    }
}
