package dev.deadline.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.deadline.DeadlineListener;
import dev.deadline.Reason;
import dev.deadline.engine.Budget;
import dev.deadline.engine.Mode;
import dev.deadline.engine.RequestAnswer;
import dev.deadline.engine.Scope;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

/** Whom the gate asks about, and how long it counts whom; what clients see is shown with running applications. */
class GatewayFilterTests {

    private static final long SECOND = 1_000_000_000;

    private final Shedder shedder = new Shedder(() -> ArrivalQueue.UNKNOWN, Budget.UNBOUNDED);

    private final AtomicInteger limitAsked = new AtomicInteger();

    private final MockHttpServletRequest request = Requests.from("192.0.2.1", "/page");

    private long now = SECOND;

    private final GatewayFilter filter = new GatewayFilter(
            () -> this.now,
            this.shedder,
            Mode.ENFORCE,
            asking -> {
                this.limitAsked.incrementAndGet();
                return null;
            },
            Mode.ENFORCE,
            new GateAnswer(new DeadlineListener() {}, (request, response) -> {}),
            new Priorities("X-Priority", peer -> false, List.of(), List.of()),
            List.of("/exempt"));

    private void filter(Answer answer, FilterChain chain) throws IOException, ServletException {
        this.request.setAttribute(Scope.KEY, answer);
        this.filter.doFilter(this.request, new MockHttpServletResponse(), chain);
    }

    @Test
    void countsARequestUntilItReturns() throws Exception {
        filter(
                new Answer(SECOND),
                (request, response) -> assertThat(this.shedder.inFlight()).isOne());

        assertThat(this.shedder.inFlight()).isZero();
    }

    /** What follows, minutes of a stream or a slow reader, is not the time in which the server answers. */
    @Test
    void countsARequestUntilItsAnswerBegins() throws Exception {
        Answer answer = new Answer(SECOND);
        for (int i = 0; i < 60; i++) {
            filter(answer, (request, response) -> {
                this.now += SECOND / 10;
                answer.begin.run();
                answer.begin.run();
                assertThat(this.shedder.inFlight()).isZero();
                this.now += 60 * SECOND;
            });
        }

        assertThat(this.shedder.inFlight()).isZero();
        AtomicInteger served = new AtomicInteger();
        for (int i = 0; i < 20; i++) {
            filter(new Answer(SECOND), (request, response) -> served.incrementAndGet());
        }
        assertThat(served).as("nobody learnt that it takes a minute").hasValue(20);
    }

    @Test
    void countsNobodyWhoHasAllTheTime() throws Exception {
        filter(
                new Answer(Budget.UNBOUNDED),
                (request, response) -> assertThat(this.shedder.inFlight()).isZero());
    }

    @Test
    void asksForNoLimitOfARequestThatIsTooLate() throws Exception {
        Answer late = new Answer(-1);
        filter(late, (request, response) -> assertThat(true).as("is run").isFalse());

        assertThat(late.isRefused()).isTrue();
        assertThat(this.limitAsked).hasValue(0);
    }

    private static final class Answer implements RequestAnswer {

        private final long remaining;

        private boolean refused;

        private Runnable begin = () -> {};

        Answer(long remaining) {
            this.remaining = remaining;
        }

        @Override
        public long queuedNanos() {
            return 0;
        }

        @Override
        public long remainingNanos(long now) {
            return this.remaining;
        }

        @Override
        public boolean isOver() {
            return this.remaining <= 0;
        }

        @Override
        public boolean isAborted() {
            return false;
        }

        @Override
        public boolean isEnforced() {
            return true;
        }

        @Override
        public boolean isRefused() {
            return this.refused;
        }

        @Override
        public void onBegin(Runnable task) {
            this.begin = task;
        }

        @Override
        public void refuse(Reason reason, int status, long retryAfterSeconds) {
            this.refused = true;
        }
    }
}
