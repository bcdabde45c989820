package dev.deadline.autoconfigure;

import dev.deadline.engine.InvalidSetupException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says in two sentences why the application cannot start. */
final class InvalidSetupFailureAnalyzer extends AbstractFailureAnalyzer<InvalidSetupException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, InvalidSetupException cause) {
        return new FailureAnalysis(cause.problem(), cause.remedy(), cause);
    }
}
