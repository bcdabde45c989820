package dev.deadline.autoconfigure;

import java.lang.management.ManagementFactory;

/** Whether the JVM was started for a debugger, in which a breakpoint would look like a slow upstream. */
final class DebuggerAttached {

    private DebuggerAttached() {}

    static boolean isTrue() {
        return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .anyMatch(argument -> argument.startsWith("-agentlib:jdwp") || argument.startsWith("-Xrunjdwp"));
    }
}
