package dev.deadline.autoconfigure;

import dev.deadline.report.UnboundedCallLog;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;

/** Has calls without a deadline told of when the application serves requests. */
final class UnboundedCallLogStart implements ApplicationListener<ApplicationReadyEvent> {

    private final UnboundedCallLog log;

    UnboundedCallLogStart(UnboundedCallLog log) {
        this.log = log;
    }

    @Override
    public void onApplicationEvent(ApplicationReadyEvent event) {
        this.log.begin();
    }
}
