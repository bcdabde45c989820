package dev.deadline.aop;

import dev.deadline.OnTimeout;
import dev.deadline.Step;
import dev.deadline.engine.Budget;
import dev.deadline.engine.InvalidSetupException;
import dev.deadline.engine.Nanos;
import dev.deadline.engine.StepDefinition;
import dev.deadline.engine.StepPolicy;
import dev.deadline.engine.StepRegistry;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.util.StringValueResolver;

/** Turns declared steps into policies: reads their durations and enters them in the registry, each method once. */
final class StepPolicies {

    private static final Log logger = LogFactory.getLog(StepPolicies.class);

    private final Supplier<StepRegistry> registry;

    private final StringValueResolver placeholders;

    private final Map<Method, StepPolicy> policies = new ConcurrentHashMap<>();

    // The first method of each step, by canonical name; for messages about the second one.
    private final Map<String, Method> firstPlaces = new ConcurrentHashMap<>();

    StepPolicies(Supplier<StepRegistry> registry, StringValueResolver placeholders) {
        this.registry = registry;
        this.placeholders = placeholders;
    }

    /**
     * @throws InvalidSetupException if the name is illegal, a duration cannot be read, or another step contradicts
     */
    StepPolicy of(DeclaredStep step) {
        StepPolicy policy = this.policies.get(step.method());
        if (policy == null) {
            // Not computed inside the map: the first one creates the registry, and whatever that is made of.
            policy = register(step);
            this.policies.put(step.method(), policy);
        }
        return policy;
    }

    private StepPolicy register(DeclaredStep step) {
        Method method = step.method();
        MergedAnnotation<Step> annotation = step.annotation();
        String name = annotation.getString("name");
        Method first = null;
        StepPolicy policy;
        try {
            StepDefinition definition = new StepDefinition(
                    name,
                    annotation.getEnum("onTimeout", OnTimeout.class),
                    positive(step, "timeout", Budget.UNBOUNDED),
                    notNegative(step, "reserve", StepDefinition.INHERITED),
                    positive(step, "minimum", StepDefinition.DEFAULT_MINIMUM_NANOS),
                    annotation.getBoolean("essential"),
                    annotation.getBoolean("interrupt"));
            first = this.firstPlaces.putIfAbsent(StepDefinition.canonical(name), method);
            policy = this.registry.get().register(definition);
        } catch (InvalidSetupException ex) {
            String places =
                    "At " + Signatures.place(method) + ((first != null) ? " and " + Signatures.place(first) : "");
            throw new InvalidSetupException(places + ": " + ex.problem(), ex.remedy());
        }
        if (ReturnTypeCheck.isConsumedLater(step.returnType())) {
            logger.warn("The step '" + name + "' at " + Signatures.place(method) + " returns a "
                    + step.returnType().getSimpleName() + ", which is read after the step is over: "
                    + "only the request's deadline bounds that. Return what was read to have it inside the step.");
        }
        return policy;
    }

    private long positive(DeclaredStep step, String attribute, long absent) {
        Duration value = duration(step, attribute);
        if (value != null && (value.isZero() || value.isNegative())) {
            throw new InvalidSetupException(
                    attribute + " is " + step.annotation().getString(attribute) + ", which leaves no time at all.",
                    "Set it to more than 0 ms, or remove it.");
        }
        return (value != null) ? Nanos.of(value) : absent;
    }

    private long notNegative(DeclaredStep step, String attribute, long absent) {
        Duration value = duration(step, attribute);
        if (value != null && value.isNegative()) {
            throw new InvalidSetupException(
                    attribute + " is " + step.annotation().getString(attribute) + ", and time cannot be negative.",
                    "Set it to 0 ms or more, or remove it.");
        }
        return (value != null) ? Nanos.of(value) : absent;
    }

    private @Nullable Duration duration(DeclaredStep step, String attribute) {
        String declared = step.annotation().getString(attribute);
        String text = resolved(attribute, declared);
        if (text == null || text.isBlank()) {
            return null;
        }
        try {
            return DurationStyle.detectAndParse(text.strip());
        } catch (IllegalArgumentException | ArithmeticException ex) {
            String origin = text.equals(declared) ? "" : " (from " + declared + ")";
            throw new InvalidSetupException(
                    attribute + " is '" + text + "'" + origin + ", which is not a duration.",
                    "Write it as 250ms, 2s or PT2S.");
        }
    }

    private @Nullable String resolved(String attribute, String declared) {
        String text;
        try {
            text = this.placeholders.resolveStringValue(declared);
        } catch (IllegalArgumentException ex) {
            text = declared;
        }
        if (text != null && text.contains("${")) {
            throw new InvalidSetupException(
                    attribute + " is '" + declared + "', and there is no such property.",
                    "Set the property, or give a default as in ${name:250ms}.");
        }
        return text;
    }
}
