package dev.deadline.compat.servlet;

import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A certificate that only its own clients believe. */
public final class SelfSigned {

    private static final String PASSWORD = "changeit";

    private final Path store;

    private SelfSigned(Path store) {
        this.store = store;
    }

    public static SelfSigned in(Path directory) throws IOException, InterruptedException {
        Path store = directory.resolve("self-signed.p12");
        String tool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        Process process = new ProcessBuilder(
                        tool,
                        "-genkeypair",
                        "-alias",
                        "own",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        PASSWORD)
                .inheritIO()
                .start();
        if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
            throw new IllegalStateException("No certificate could be made");
        }
        return new SelfSigned(store);
    }

    /** What makes a server use it. */
    public String[] properties() {
        return new String[] {
            "server.ssl.key-store=" + this.store,
            "server.ssl.key-store-password=" + PASSWORD,
            "server.ssl.key-alias=own"
        };
    }

    public Socket connect(int port) throws IOException, GeneralSecurityException {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        try (var in = Files.newInputStream(this.store)) {
            trusted.load(in, PASSWORD.toCharArray());
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context.getSocketFactory().createSocket("localhost", port);
    }
}
