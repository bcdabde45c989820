package dev.deadline.autoconfigure;

import dev.deadline.autoconfigure.DeadlineProperties.Propagation.Outbound;
import dev.deadline.engine.DeadlineEngine;
import dev.deadline.http.CallRules;
import dev.deadline.http.ExpiredUpstream;
import dev.deadline.http.OutboundDeadline;
import dev.deadline.propagation.DeadlineCodec;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * What holds for the calls of every HTTP client.
 *
 * @since 0.1
 */
@AutoConfiguration(after = DeadlineAutoConfiguration.class)
@ConditionalOnDeadlineEnabled
public final class DeadlineHttpAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    CallRules deadlineCallRules(
            DeadlineProperties properties, ObjectProvider<DeadlineCodec> codecs, DeadlineEngine engine) {
        Outbound outbound = properties.propagation().outbound();
        OutboundDeadline header = codecs.orderedStream()
                .findFirst()
                .filter(codec -> outbound.enabled())
                .map(codec -> OutboundDeadline.sent(codec, outbound.hosts()))
                .orElseGet(OutboundDeadline::notSent);
        return new CallRules(header, new ExpiredUpstream(properties.response().header()), engine.listeners());
    }
}
