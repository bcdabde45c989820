package dev.deadline.compat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.deadline.Deadline;
import java.security.CodeSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootVersion;

class BootLineTests {

    @Test
    void runsOnTheBootLineThatTheModuleNames() {
        assertThat(SpringBootVersion.getVersion()).isEqualTo(System.getProperty("boot.version"));
    }

    @Test
    void testsTheJarThatIsShipped() {
        CodeSource source = Deadline.class.getProtectionDomain().getCodeSource();

        assertThat(source.getLocation().getPath()).endsWith(".jar");
    }
}
