package dev.deadline.engine;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All steps of an application by name: where the configuration is applied and contradictions are found. */
public final class StepRegistry {

    /** How many there may be. Names become metric tags: those computed at run time would make meters without end. */
    public static final int MAX_STEPS = 1024;

    private final Map<String, StepSettings> settings = new LinkedHashMap<>();

    // The configured names as they are written, by canonical name.
    private final Map<String, String> spellings = new LinkedHashMap<>();

    // Guarded by the monitor of this registry; steps are registered at start-up and on first use.
    private final Map<String, StepDefinition> declared = new LinkedHashMap<>();

    /**
     * @param configured settings by step name, in any spelling
     * @throws InvalidSetupException if two of the names are the same step
     */
    public StepRegistry(Map<String, StepSettings> configured) {
        configured.forEach((name, value) -> {
            String key = StepDefinition.canonical(name);
            this.spellings.put(key, name);
            if (this.settings.put(key, value) != null) {
                throw new InvalidSetupException(
                        "deadline.steps names the step '" + name + "' twice, in two spellings.", "Keep one of them.");
            }
        });
    }

    /**
     * Adds a step, or another place that declares the same one.
     *
     * @throws InvalidSetupException if a step of that name has another policy, or another spelling
     */
    public synchronized StepPolicy register(StepDefinition step) {
        String key = StepDefinition.canonical(step.name());
        StepDefinition former = this.declared.get(key);
        if (former == null) {
            if (this.declared.size() >= MAX_STEPS) {
                throw new InvalidSetupException(
                        "There are more than " + MAX_STEPS + " steps, so the name of step '" + step.name()
                                + "' seems to be computed.",
                        "Use constants, for names become metric tags.");
            }
            this.declared.put(key, step);
        } else if (!former.name().equals(step.name())) {
            throw new InvalidSetupException(
                    "The steps '" + former.name() + "' and '" + step.name()
                            + "' cannot be told apart in configuration.",
                    "Rename one of them.");
        } else if (former.onTimeout() != step.onTimeout()) {
            throw new InvalidSetupException(
                    "The step '" + step.name() + "' is declared both OPEN and CLOSED.",
                    "Give both places the same policy, or two names.");
        }
        StepSettings configured = this.settings.getOrDefault(key, StepSettings.NONE);
        return new StepPolicy(configured.applyTo(step), configured.mode());
    }

    /** The names of all steps declared so far. */
    public synchronized List<String> names() {
        List<String> names = new ArrayList<>();
        this.declared.values().forEach(step -> names.add(step.name()));
        return names;
    }

    /** The configured names, as they are written, that no declared step has. */
    public synchronized List<String> unknownNames() {
        Map<String, String> unknown = new LinkedHashMap<>(this.spellings);
        unknown.keySet().removeAll(this.declared.keySet());
        return List.copyOf(unknown.values());
    }
}
