package dev.deadline.compat.context;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

class AsyncWorkTests {

    @Nested
    class OnAPooledThread extends AsyncWorkContract {
        OnAPooledThread() {
            super(false);
        }
    }

    @Nested
    @EnabledForJreRange(min = JRE.JAVA_21)
    class OnVirtualThreads extends AsyncWorkContract {
        OnVirtualThreads() {
            super(true);
        }
    }
}
