package dev.deadline.compat.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** All that holds on a thread of a pool holds on a virtual one. */
@EnabledForJreRange(min = JRE.JAVA_21)
class VirtualThreadTests {

    private static final String VIRTUAL = "spring.threads.virtual.enabled=true";

    @Nested
    class BudgetOnTomcatTests extends BudgetContract {
        BudgetOnTomcatTests() {
            super(Server.TOMCAT, VIRTUAL);
        }
    }

    @Nested
    class BudgetOnJettyTests extends BudgetContract {
        BudgetOnJettyTests() {
            super(Server.JETTY, VIRTUAL);
        }
    }

    @Nested
    class AsyncDispatchOnTomcatTests extends AsyncDispatchContract {
        AsyncDispatchOnTomcatTests() {
            super(Server.TOMCAT, VIRTUAL);
        }
    }

    @Nested
    class LastResortOnTomcatTests extends LastResortContract {
        LastResortOnTomcatTests() {
            super(Server.TOMCAT, VIRTUAL);
        }
    }

    @Nested
    class LastResortOnJettyTests extends LastResortContract {
        LastResortOnJettyTests() {
            super(Server.JETTY, VIRTUAL);
        }
    }

    @Nested
    class SlowUploadOnTomcatTests extends SlowUploadContract {
        SlowUploadOnTomcatTests() {
            super(Server.TOMCAT, VIRTUAL);
        }
    }

    @Test
    void areReallyVirtual() {
        try (RunningApplication app = Server.TOMCAT.start(VIRTUAL)) {
            assertThat(app.get("/seen/x").body()).contains("\"virtual\":true");
        }
    }
}
