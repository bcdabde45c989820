package dev.deadline.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.springframework.core.task.VirtualThreadTaskExecutor;

@Timeout(30)
class VirtualThreadsTests {

    @Test
    void takesPlatformThreadForNoVirtualOne() {
        assertThat(VirtualThreads.isCurrent()).isFalse();
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void tellsVirtualThread() throws Exception {
        assertThat(VirtualThreads.exist()).isTrue();
        assertThat(CompletableFuture.supplyAsync(VirtualThreads::isCurrent, new VirtualThreadTaskExecutor())
                        .get(20, TimeUnit.SECONDS))
                .isTrue();
    }
}
