package dev.deadline.compat.servlet;

import org.junit.jupiter.api.Nested;

/** The containers of {@link BudgetContract}. */
class BudgetTests {

    @Nested
    class OnTomcatTests extends BudgetContract {
        OnTomcatTests() {
            super(Server.TOMCAT);
        }
    }

    @Nested
    class OnJettyTests extends BudgetContract {
        OnJettyTests() {
            super(Server.JETTY);
        }
    }
}
