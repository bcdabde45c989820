package dev.deadline.benchmarks;

/** Work that takes no time, so that what is around it is all that is measured. */
public class Greeter {

    private String greeting = "hello";

    public String greet() {
        return this.greeting;
    }
}
