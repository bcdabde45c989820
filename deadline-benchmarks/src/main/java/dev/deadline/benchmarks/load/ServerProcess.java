package dev.deadline.benchmarks.load;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A running {@link LoadServer}. */
final class ServerProcess implements AutoCloseable {

    private static final long START_SECONDS = 120;

    private final Process process;

    private final int port;

    private ServerProcess(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /** Waits until the process listens. It prints nothing after that. */
    static ServerProcess whenReady(Process process) throws IOException, InterruptedException {
        try {
            BufferedReader output = process.inputReader();
            String line = CompletableFuture.supplyAsync(() -> readyLine(output)).get(START_SECONDS, TimeUnit.SECONDS);
            return new ServerProcess(process, Integer.parseInt(line.substring(LoadServer.READY.length())));
        } catch (ExecutionException | TimeoutException ex) {
            process.destroyForcibly();
            throw new IOException("The server has not started", ex);
        }
    }

    int port() {
        return this.port;
    }

    /** Processor time that it has used since it was started. */
    long cpuNanos() {
        return this.process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos();
    }

    @Override
    public void close() {
        this.process.destroyForcibly().onExit().join();
    }

    private static String readyLine(BufferedReader output) {
        List<String> before = new ArrayList<>();
        String line;
        try {
            line = output.readLine();
            while (line != null && !line.startsWith(LoadServer.READY)) {
                before.add(line);
                line = output.readLine();
            }
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
        if (line == null) {
            throw new IllegalStateException(String.join("\n", before));
        }
        return line;
    }
}
