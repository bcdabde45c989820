package dev.deadline.autoconfigure;

import dev.deadline.autoconfigure.DeadlineProperties.Gateway;
import dev.deadline.autoconfigure.DeadlineProperties.Gateway.RateLimit.Rule;
import dev.deadline.engine.Mode;
import dev.deadline.gateway.LimitKey;
import java.util.List;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Whether there are rate limits: a gate, rules, and a mode other than off. */
class OnRateLimits extends SpringBootCondition {

    @Override
    public final ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        ConditionMessage.Builder message = ConditionMessage.forCondition("Rate limits");
        Gateway gateway = Binder.get(context.getEnvironment()).bindOrCreate("deadline.gateway", Gateway.class);
        if (!gateway.enabled() || gateway.rateLimit().mode() == Mode.OFF) {
            return ConditionOutcome.noMatch(message.because("they are switched off"));
        }
        return has(gateway.rateLimit().rules())
                ? ConditionOutcome.match(message.because("there are rules"))
                : ConditionOutcome.noMatch(message.because("there are no rules"));
    }

    boolean has(List<Rule> rules) {
        return !rules.isEmpty();
    }

    /** Whether there are any for tokens. */
    static final class ForTokens extends OnRateLimits {

        @Override
        boolean has(List<Rule> rules) {
            return rules.stream().anyMatch(rule -> rule.key() == LimitKey.TOKEN);
        }
    }
}
