package dev.deadline.benchmarks;

import dev.deadline.OnTimeout;
import dev.deadline.Step;

/** The same work as a step. */
public class GreetingStep extends Greeter {

    @Override
    @Step(name = "greeting", onTimeout = OnTimeout.CLOSED, timeout = "250ms")
    public String greet() {
        return super.greet();
    }
}
