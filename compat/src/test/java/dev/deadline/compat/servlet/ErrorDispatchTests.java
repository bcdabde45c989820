package dev.deadline.compat.servlet;

import org.junit.jupiter.api.Nested;

/** The containers of {@link ErrorDispatchContract}. */
class ErrorDispatchTests {

    @Nested
    class OnTomcatTests extends ErrorDispatchContract {
        OnTomcatTests() {
            super(Server.TOMCAT);
        }
    }

    @Nested
    class OnJettyTests extends ErrorDispatchContract {
        OnJettyTests() {
            super(Server.JETTY);
        }
    }
}
