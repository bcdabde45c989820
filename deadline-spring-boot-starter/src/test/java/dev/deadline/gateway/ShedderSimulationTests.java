package dev.deadline.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.deadline.Priority;
import dev.deadline.gateway.SimulatedServer.Offered;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the shedder does to a server under load, in simulated time: 16 servants, 25 to 75 ms of work, a budget of 500 ms.
 * The same figures on real servers come from the load experiments among the benchmarks.
 */
class ShedderSimulationTests {

    private static final long SECOND = 1_000_000_000;

    private static final long BUDGET = SECOND / 2;

    private static final int SERVANTS = 16;

    // Sixteen servants, a twentieth of a second each.
    private static final double CAPACITY = 320;

    private static final int SEEDS = 5;

    private static final long LENGTH = 20 * SECOND;

    private static final long WARM_UP = 3 * SECOND;

    private static final ToLongFunction<Random> WORK =
            random -> (long) ((25 + 50 * random.nextDouble()) * SECOND / 1000);

    private static List<Offered> steady(Random random, double times, Priority priority) {
        return SimulatedServer.steady(random, times * CAPACITY, 0, LENGTH, priority, WORK);
    }

    private static List<Offered> serve(boolean queuesInFront, double times) {
        List<Offered> all = new ArrayList<>();
        for (int seed = 0; seed < SEEDS; seed++) {
            List<Offered> load = steady(new Random(seed), times, Priority.DEFAULT);
            new SimulatedServer(SERVANTS, queuesInFront, BUDGET).serve(load);
            load.removeIf(offered -> offered.at < WARM_UP);
            all.addAll(load);
        }
        return all;
    }

    private static double share(List<Offered> load, Predicate<Offered> which) {
        return load.stream().filter(which).count() / (double) load.size();
    }

    private static boolean isRefused(Offered offered) {
        return offered.refused != null;
    }

    private static boolean isServed(Offered offered) {
        return offered.isInTime(BUDGET);
    }

    @ParameterizedTest
    @CsvSource({"true, 1.5", "true, 2", "true, 3", "true, 6", "false, 1.5", "false, 2", "false, 3", "false, 6"})
    void servesWhatItCanUnderOverload(boolean queuesInFront, double times) {
        List<Offered> load = serve(queuesInFront, times);

        double perSecond =
                load.stream().filter(ShedderSimulationTests::isServed).count()
                        / (double) SEEDS
                        / ((LENGTH - WARM_UP) / (double) SECOND);
        assertThat(perSecond).isGreaterThan(0.97 * CAPACITY);
        assertThat(share(load, offered -> !isRefused(offered) && !isServed(offered)))
                .isLessThan(0.01);
    }

    /** Code outside of steps is not cut, and goes on to use up what there is when nobody waits for it any more. */
    @ParameterizedTest
    @ValueSource(doubles = {1.1, 2, 3})
    void servesWhatItCanThoughLateWorkGoesOn(double times) {
        List<Offered> load = steady(new Random(1), times, Priority.DEFAULT);
        new SimulatedServer(SERVANTS, false, false, BUDGET).serve(load);

        assertThat(load.stream().filter(ShedderSimulationTests::isServed).count())
                .isGreaterThan((long) (0.95 * CAPACITY * LENGTH / SECOND));
    }

    /** What came in at once, and will all be late, does not keep what comes later from being served. */
    @Test
    void recoversFromAStampede() {
        List<Offered> load = steady(new Random(1), 0.5, Priority.DEFAULT);
        for (int i = 0; i < 1000; i++) {
            load.add(new Offered(1, Priority.DEFAULT, 0, WORK.applyAsLong(new Random(i))));
        }
        new SimulatedServer(SERVANTS, false, false, BUDGET).serve(load);

        assertThat(load)
                .filteredOn(offered -> offered.at > 5 * SECOND)
                .isNotEmpty()
                .allMatch(ShedderSimulationTests::isServed);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void refusesNearlyNothingBelowCapacity(boolean queuesInFront) {
        assertThat(share(serve(queuesInFront, 0.5), ShedderSimulationTests::isRefused))
                .isZero();
        assertThat(share(serve(queuesInFront, 0.97), ShedderSimulationTests::isRefused))
                .isLessThan(0.005);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void refusesNoBurstThatCanBeServedInTime(boolean queuesInFront) {
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            List<Offered> load = steady(random, 0.5, Priority.DEFAULT);
            for (long at = 2 * SECOND; at < LENGTH; at += 2 * SECOND) {
                for (int i = 0; i < 100; i++) {
                    load.add(new Offered(at, Priority.DEFAULT, 0, WORK.applyAsLong(random)));
                }
            }
            new SimulatedServer(SERVANTS, queuesInFront, BUDGET).serve(load);

            assertThat(share(load, ShedderSimulationTests::isRefused)).isLessThan(0.01);
        }
    }

    /** A few threads with long work take nothing for a while, and then all at once. */
    @ParameterizedTest
    @CsvSource({"8, 300, 4", "4, 1000, 14"})
    void refusesNoBurstThatAFewSlowServantsServeInTime(int servants, int millis, int budgetSeconds) {
        int fits = servants * (budgetSeconds * 1000 / millis);
        List<Offered> load = new ArrayList<>();
        for (int i = 0; i < fits; i++) {
            load.add(new Offered(SECOND + i, Priority.DEFAULT, 0, millis * SECOND / 1000));
        }
        new SimulatedServer(servants, true, budgetSeconds * SECOND).serve(load);

        assertThat(load).noneMatch(ShedderSimulationTests::isRefused);
    }

    @ParameterizedTest
    @CsvSource({"8, 400, 4", "4, 1000, 8"})
    void servesWhatAFewSlowServantsCanUnderOverload(int servants, int millis, int budgetSeconds) {
        double perSecond = servants * 1000.0 / millis;
        List<Offered> load = SimulatedServer.steady(
                new Random(1), 2 * perSecond, 0, 4 * LENGTH, Priority.DEFAULT, random -> millis * SECOND / 1000);
        new SimulatedServer(servants, true, budgetSeconds * SECOND).serve(load);

        assertThat(load.stream().filter(offered -> offered.isInTime(budgetSeconds * SECOND)))
                .hasSizeGreaterThan((int) (0.95 * perSecond * 4 * LENGTH / SECOND));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void stopsRefusingSoonAfterTheLoadHasFallen(boolean queuesInFront) {
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            long end = 5 * SECOND;
            List<Offered> load = SimulatedServer.steady(random, 3 * CAPACITY, 0, end, Priority.DEFAULT, WORK);
            load.addAll(SimulatedServer.steady(random, CAPACITY / 2, end, end, Priority.DEFAULT, WORK));
            new SimulatedServer(SERVANTS, queuesInFront, BUDGET).serve(load);

            assertThat(load)
                    .filteredOn(ShedderSimulationTests::isRefused)
                    .isNotEmpty()
                    .allSatisfy(refused -> assertThat(refused.doneAt).isLessThan(end + SECOND));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void refusesSheddableFirstAndCriticalLast(boolean queuesInFront) {
        Random random = new Random(1);
        List<Offered> load = steady(random, 1, Priority.DEFAULT);
        List<Offered> critical = steady(random, 0.5, Priority.CRITICAL);
        List<Offered> sheddable = steady(random, 0.5, Priority.SHEDDABLE);
        List<Offered> ordinary = List.copyOf(load);
        load.addAll(critical);
        load.addAll(sheddable);
        new SimulatedServer(SERVANTS, queuesInFront, BUDGET).serve(load);

        assertThat(share(critical, ShedderSimulationTests::isServed)).isGreaterThan(0.9);
        assertThat(share(ordinary, ShedderSimulationTests::isRefused)).isBetween(0.3, 0.7);
        assertThat(share(sheddable, ShedderSimulationTests::isRefused)).isGreaterThan(0.9);
    }

    @Test
    void shedsCriticalRequestsTooWhenTheyAloneAreTooMany() {
        List<Offered> load = steady(new Random(1), 2, Priority.CRITICAL);
        new SimulatedServer(SERVANTS, true, BUDGET).serve(load);

        assertThat(share(load, ShedderSimulationTests::isServed)).isGreaterThan(0.45);
    }

    /** What takes long by nature is not taken for overload: there are servants for everybody. */
    @ParameterizedTest
    @ValueSource(ints = {150, 300, 400})
    void leavesAServiceAloneThatIsOnlySlow(int millis) {
        Random random = new Random(1);
        ToLongFunction<Random> work = each -> (long) ((0.8 + 0.4 * each.nextDouble()) * millis * SECOND / 1000);
        List<Offered> load = SimulatedServer.steady(random, 200, 0, LENGTH, Priority.DEFAULT, work);
        new SimulatedServer(1000, false, BUDGET).serve(load);

        assertThat(share(load, ShedderSimulationTests::isRefused)).isLessThan(0.02);
    }
}
