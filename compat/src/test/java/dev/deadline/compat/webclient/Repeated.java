package dev.deadline.compat.webclient;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import org.awaitility.Awaitility;

/**
 * A call that has little time, repeated until it got as far as the test is about: on a busy machine the time may be up before
 * that. An error in it is thrown at once, on the caller's thread.
 */
public final class Repeated {

    private Repeated() {}

    public static <T> T until(Predicate<T> reached, Callable<T> call) {
        return Awaitility.await()
                .pollInSameThread()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .until(call, reached::test);
    }

    public static void until(Callable<Boolean> reached) {
        until(Boolean::booleanValue, reached);
    }
}
