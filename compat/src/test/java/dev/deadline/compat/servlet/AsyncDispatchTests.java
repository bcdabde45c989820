package dev.deadline.compat.servlet;

import org.junit.jupiter.api.Nested;

/** The containers of {@link AsyncDispatchContract}. */
class AsyncDispatchTests {

    @Nested
    class OnTomcatTests extends AsyncDispatchContract {
        OnTomcatTests() {
            super(Server.TOMCAT);
        }
    }

    @Nested
    class OnJettyTests extends AsyncDispatchContract {
        OnJettyTests() {
            super(Server.JETTY);
        }
    }
}
