package dev.deadline.compat.servlet;

import org.junit.jupiter.api.Nested;

/** The containers of {@link DegradedResponseContract}. */
class DegradedResponseTests {

    @Nested
    class OnTomcatTests extends DegradedResponseContract {
        OnTomcatTests() {
            super(Server.TOMCAT, false);
        }
    }

    @Nested
    class OnTomcatWithEtagFilterTests extends DegradedResponseContract {
        OnTomcatWithEtagFilterTests() {
            super(Server.TOMCAT, true);
        }
    }

    @Nested
    class OnJettyTests extends DegradedResponseContract {
        OnJettyTests() {
            super(Server.JETTY, false);
        }
    }

    @Nested
    class OnJettyWithEtagFilterTests extends DegradedResponseContract {
        OnJettyWithEtagFilterTests() {
            super(Server.JETTY, true);
        }
    }
}
