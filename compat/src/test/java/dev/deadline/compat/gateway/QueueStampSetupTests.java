package dev.deadline.compat.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.deadline.compat.servlet.RawConnection;
import dev.deadline.compat.servlet.SelfSigned;
import dev.deadline.gateway.ArrivalQueue;
import dev.deadline.gateway.StampingProtocol;
import java.net.Socket;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.catalina.connector.Connector;
import org.apache.coyote.AbstractProtocol;
import org.apache.coyote.http11.Http11Nio2Protocol;
import org.apache.coyote.http11.Http11NioProtocol;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.BeanUtils;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.web.server.WebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.test.util.ReflectionTestUtils;

/** What is done to a Tomcat that the application has its own mind about. */
@ExtendWith(OutputCaptureExtension.class)
class QueueStampSetupTests {

    private static final String LOG = "logging.level.dev.deadline.gateway=info";

    private static final String NOTICE = "How long requests wait for a thread is not known";

    private final AtomicReference<Connector> connector = new AtomicReference<>();

    private ConfigurableApplicationContext start(
            WebServerFactoryCustomizer<WebServerFactory> customizer, String... properties) {
        return StampApplication.start(
                context -> {
                    add(context, "watching", Connectors.customized(this.connector::set));
                    add(context, "own", customizer);
                },
                properties);
    }

    private static void add(
            GenericApplicationContext context, String name, WebServerFactoryCustomizer<WebServerFactory> customizer) {
        context.registerBean(name, WebServerFactoryCustomizer.class, () -> customizer);
    }

    private AbstractProtocol<?> protocol() {
        return (AbstractProtocol<?>) this.connector.get().getProtocolHandler();
    }

    private static String told(ConfigurableApplicationContext context) throws Exception {
        return told(new Socket("localhost", StampApplication.port(context)));
    }

    private static String told(Socket socket) throws Exception {
        try (RawConnection connection = new RawConnection(socket)) {
            connection.send("GET /tells HTTP/1.1\r\nHost: localhost\r\n\r\n");
            return connection.readAnswer().body().split(",")[0];
        }
    }

    @Test
    void keepsTheSettingsOfTheThreadsAndEndsThemWithTheApplication(@TempDir Path directory) throws Exception {
        SelfSigned certificate = SelfSigned.in(directory);
        Thread worker;
        try (ConfigurableApplicationContext context = start(
                Connectors.customized(connector -> {}),
                "server.tomcat.threads.max=7",
                "server.tomcat.threads.min-spare=2",
                "server.tomcat.threads.max-queue-capacity=3",
                certificate.properties()[0],
                certificate.properties()[1],
                certificate.properties()[2])) {
            assertThat(protocol()).isInstanceOf(StampingProtocol.class);
            assertThat(protocol().getMaxThreads()).isEqualTo(7);
            assertThat(protocol().getMinSpareThreads()).isEqualTo(2);
            assertThat(protocol().getMaxQueueSize()).isEqualTo(3);
            assertThat(told(certificate.connect(StampApplication.port(context))))
                    .as("over TLS")
                    .isNotEqualTo("unknown");
            worker = context.getBean(StampPages.class).thread;
            assertThat(worker.getName()).matches("https-jsse-nio-auto-\\d+-exec-\\d+");
            assertThat(worker.isDaemon()).isTrue();
        }
        await().until(() -> !worker.isAlive());
    }

    @Test
    void leavesAnExecutorOfTheApplicationAlone(CapturedOutput output) throws Exception {
        ExecutorService own = Executors.newFixedThreadPool(2);
        try (ConfigurableApplicationContext context = start(
                Connectors.customized(
                        connector -> connector.getProtocolHandler().setExecutor(own)),
                LOG)) {
            assertThat(protocol().getExecutor()).isSameAs(own);
            assertThat(context.getBean(ArrivalQueue.class).size()).isEqualTo(ArrivalQueue.UNKNOWN);
            assertThat(told(context)).isEqualTo("unknown");
            assertThat(output).containsOnlyOnce(NOTICE).contains("an executor of its own", "ThreadPoolExecutor");
        } finally {
            own.shutdownNow();
        }
    }

    @Test
    void leavesAProtocolOfTheApplicationAlone(CapturedOutput output) throws Exception {
        try (ConfigurableApplicationContext context = start(Connectors.speaking(Http11Nio2Protocol.class), LOG)) {
            assertThat(protocol()).isInstanceOf(Http11Nio2Protocol.class);
            assertThat(context.getBean(ArrivalQueue.class).size()).isEqualTo(ArrivalQueue.UNKNOWN);
            assertThat(told(context)).isEqualTo("unknown");
            assertThat(output).containsOnlyOnce(NOTICE).contains("a protocol of its own", "Http11Nio2Protocol");
        }
    }

    @Test
    void leavesTheProtocolAloneThatAFactoryOfTheApplicationHas() {
        try (ConfigurableApplicationContext context = StampApplication.start(additions -> {
            add(additions, "watching", Connectors.customized(this.connector::set));
            additions.registerBean("webServerFactory", factoryType(), () -> {
                WebServerFactory factory = (WebServerFactory) BeanUtils.instantiateClass(Connectors.factory());
                ReflectionTestUtils.invokeMethod(factory, "setProtocol", Http11Nio2Protocol.class.getName());
                return factory;
            });
        })) {
            assertThat(protocol()).isInstanceOf(Http11Nio2Protocol.class);
            assertThat(context.getBean(ArrivalQueue.class).size()).isEqualTo(ArrivalQueue.UNKNOWN);
        }
    }

    @SuppressWarnings("unchecked")
    private static Class<WebServerFactory> factoryType() {
        return (Class<WebServerFactory>) Connectors.factory();
    }

    @Test
    void leavesTomcatAsItIsWhenSwitchedOff() throws Exception {
        try (ConfigurableApplicationContext context =
                start(Connectors.customized(connector -> {}), "deadline.gateway.queue-stamp=false")) {
            assertThat(protocol().getClass()).isEqualTo(Http11NioProtocol.class);
            assertThat(context.getBean(ArrivalQueue.class).size()).isEqualTo(ArrivalQueue.UNKNOWN);
            assertThat(told(context)).isEqualTo("unknown");
        }
    }

    /** The budget starts in the queue all the same. */
    @Test
    void stampsWithoutAGate() throws Exception {
        try (ConfigurableApplicationContext context =
                start(Connectors.customized(connector -> {}), "deadline.gateway.enabled=false")) {
            assertThat(protocol()).isInstanceOf(StampingProtocol.class);
            assertThat(told(context)).isNotEqualTo("unknown");
        }
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void stampsVirtualThreads() throws Exception {
        try (ConfigurableApplicationContext context =
                start(Connectors.customized(connector -> {}), "spring.threads.virtual.enabled=true")) {
            ArrivalQueue queue = context.getBean(ArrivalQueue.class);
            assertThat(queue.size()).isZero();
            assertThat(told(context)).isNotEqualTo("unknown");
            assertThat(context.getBean(StampPages.class).thread.getName()).startsWith("tomcat-handler-");
            await().until(() -> queue.size() == 0);
        }
    }
}
