package dev.deadline;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What an application may touch grows and shrinks only on purpose: with the list that is checked in. */
class PublicApiTests {

    @Test
    void typesOfTheRootPackageAreThoseOnTheList() throws IOException {
        List<String> visible = new ClassFileImporter()
                .importPath(Path.of("target/classes")).stream()
                        .filter(type -> type.getPackageName().equals("dev.deadline"))
                        .filter(PublicApiTests::isVisible)
                        .map(JavaClass::getName)
                        .sorted()
                        .toList();

        assertThat(visible).isEqualTo(Files.readAllLines(Path.of("src/test/resources/public-api.txt")));
    }

    private static boolean isVisible(JavaClass type) {
        return type.getModifiers().contains(JavaModifier.PUBLIC)
                && type.getEnclosingClass().map(PublicApiTests::isVisible).orElse(true);
    }
}
