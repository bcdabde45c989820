package dev.deadline.compat.servlet;

import org.junit.jupiter.api.Nested;

/** The containers of {@link LastResortContract}. */
class LastResortTests {

    @Nested
    class OnTomcatTests extends LastResortContract {
        OnTomcatTests() {
            super(Server.TOMCAT);
        }
    }

    @Nested
    class OnJettyTests extends LastResortContract {
        OnJettyTests() {
            super(Server.JETTY);
        }
    }
}
