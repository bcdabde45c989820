package dev.deadline.compat.servlet;

import org.junit.jupiter.api.Nested;

/** The containers of {@link StreamContract}. */
class StreamTests {

    @Nested
    class OnTomcatTests extends StreamContract {
        OnTomcatTests() {
            super(Server.TOMCAT, true);
        }
    }

    @Nested
    class OnJettyTests extends StreamContract {
        OnJettyTests() {
            super(Server.JETTY, false);
        }
    }
}
