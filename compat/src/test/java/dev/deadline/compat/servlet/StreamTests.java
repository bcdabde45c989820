package dev.deadline.compat.servlet;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The containers of {@link StreamContract}. */
class StreamTests {

    @Nested
    class OnTomcatTests extends StreamContract {
        OnTomcatTests() {
            super(Server.TOMCAT, true);
        }

        /** C44 */
        @Test
        void resetsTheStreamOfHttp2OfAnAnswerThatIsCutShort() {
            assertThatThrownBy(() -> app().http2()
                            .sendAsync(app().request("GET", "/stream/rows"), BodyHandlers.ofString())
                            .get(10, TimeUnit.SECONDS))
                    .hasRootCauseInstanceOf(IOException.class);
        }
    }

    @Nested
    class OnJettyTests extends StreamContract {
        OnJettyTests() {
            super(Server.JETTY, false);
        }
    }
}
