package dev.deadline.benchmarks.load;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Keeps the server on one processor and the generator on another, where the operating system has {@code taskset}.
 *
 * @param serverProcessor number of the server's
 * @param clientProcessor number of the generator's
 */
record Pinning(int serverProcessor, int clientProcessor) {

    /** The command that starts a server, on its processor. */
    List<String> onServerProcessor(List<String> command) {
        List<String> pinned = new ArrayList<>();
        if (isPossible()) {
            pinned.addAll(List.of("taskset", "-c", String.valueOf(this.serverProcessor)));
        }
        pinned.addAll(command);
        return pinned;
    }

    /** Moves all threads of this process to the generator's processor. */
    void pinThisProcess() throws IOException, InterruptedException {
        if (isPossible()) {
            run(
                    "taskset",
                    "-a",
                    "-c",
                    "-p",
                    String.valueOf(this.clientProcessor),
                    String.valueOf(ProcessHandle.current().pid()));
        }
    }

    private static boolean isPossible() {
        try {
            return run("taskset", "--version") == 0;
        } catch (IOException ex) {
            return false;
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static int run(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }
}
