package dev.deadline.report;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/** Keeps what one logger says during a test, and lets nobody else hear it. */
final class CapturedLog implements BeforeEachCallback, AfterEachCallback {

    private final Logger logger;

    private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

    CapturedLog(String logger) {
        this.logger = (Logger) LoggerFactory.getLogger(logger);
    }

    Logger logger() {
        return this.logger;
    }

    List<ILoggingEvent> events() {
        return this.appender.list;
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        this.appender.start();
        this.logger.addAppender(this.appender);
        this.logger.setAdditive(false);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        this.logger.detachAppender(this.appender);
        this.logger.setAdditive(true);
        this.logger.setLevel(null);
    }
}
