package dev.deadline.benchmarks.load;

import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** What the requests of {@link Traffic} ask for. */
@RestController
class LoadHandlers {

    private static final int CPU_MILLIS = 5;

    /** What is short behind virtual threads, as connections of a pool are; null if nothing is. */
    private final Semaphore pool;

    private final long roundsPerMillisecond;

    LoadHandlers(
            @Value("${load.pool:0}") int permits,
            @Value("${load.rounds-per-millisecond:0}") long roundsPerMillisecond) {
        this.pool = permits == 0 ? null : new Semaphore(permits, true);
        this.roundsPerMillisecond = roundsPerMillisecond;
    }

    @GetMapping("/wait")
    String waitForLong() throws InterruptedException {
        return waitFor(25, 75);
    }

    @GetMapping("/fast")
    String waitBriefly() throws InterruptedException {
        return waitFor(5, 15);
    }

    @GetMapping("/slow")
    String waitVeryLong() throws InterruptedException {
        return waitFor(150, 250);
    }

    @GetMapping("/cpu")
    String compute() {
        return Long.toString(CpuWork.compute(CPU_MILLIS * this.roundsPerMillisecond, System.nanoTime()));
    }

    @GetMapping("/nothing")
    String nothing() {
        return "nothing";
    }

    private String waitFor(int least, int most) throws InterruptedException {
        int millis = ThreadLocalRandom.current().nextInt(least, most + 1);
        if (this.pool == null) {
            Thread.sleep(millis);
            return "waited";
        }
        this.pool.acquire();
        try {
            Thread.sleep(millis);
        } finally {
            this.pool.release();
        }
        return "waited";
    }
}
