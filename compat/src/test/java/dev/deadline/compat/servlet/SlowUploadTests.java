package dev.deadline.compat.servlet;

import org.junit.jupiter.api.Nested;

/** The containers of {@link SlowUploadContract}. */
class SlowUploadTests {

    @Nested
    class OnTomcatTests extends SlowUploadContract {
        OnTomcatTests() {
            super(Server.TOMCAT);
        }
    }

    @Nested
    class OnJettyTests extends SlowUploadContract {
        OnJettyTests() {
            super(Server.JETTY);
        }
    }
}
