package dev.deadline.benchmarks.load;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Starts the JVMs of the experiments, which all run from the class path of this one. */
final class ServerStarter {

    private static final long CALIBRATION_SECONDS = 60;

    private final LabOptions options;

    private long roundsPerMillisecond;

    ServerStarter(LabOptions options) {
        this.options = options;
    }

    /** A fresh server. */
    ServerProcess start(Variant variant, Cell.Threads threads) throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(variant.settings());
        if (variant.hasLibrary()) {
            arguments.addAll(this.options.serverSettings());
        }
        if (threads == Cell.Threads.VIRTUAL) {
            arguments.addAll(List.of("--spring.threads.virtual.enabled=true", "--load.pool=16"));
        }
        arguments.add("--load.rounds-per-millisecond=" + roundsPerMillisecond());
        return ServerProcess.whenReady(java(LoadServer.class, arguments));
    }

    private long roundsPerMillisecond() throws IOException, InterruptedException {
        if (this.roundsPerMillisecond == 0) {
            Process calibration = java(CpuWork.class, List.of());
            if (!calibration.waitFor(CALIBRATION_SECONDS, TimeUnit.SECONDS)) {
                calibration.destroyForcibly();
                throw new IOException("The calibration does not end");
            }
            this.roundsPerMillisecond = Long.parseLong(calibration.inputReader().readLine());
        }
        return this.roundsPerMillisecond;
    }

    private Process java(Class<?> main, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                this.options.jvm(),
                "-XX:+UseSerialGC",
                "-Xmx1g",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(arguments);
        return new ProcessBuilder(this.options.pinning().onServerProcessor(command))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }
}
