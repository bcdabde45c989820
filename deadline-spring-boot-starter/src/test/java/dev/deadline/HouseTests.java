package dev.deadline;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/**
 * The rows of the house: a package imports only from the rows above it, and packages of one row never import one
 * another.
 */
class HouseTests {

    private static final String ROOT = "dev.deadline";

    private static final List<Set<String>> ROWS = List.of(
            Set.of(ROOT),
            Set.of("dev.deadline.engine"),
            Set.of("dev.deadline.propagation", "dev.deadline.reactive", "dev.deadline.report"),
            Set.of(
                    "dev.deadline.servlet",
                    "dev.deadline.http",
                    "dev.deadline.jdbc",
                    "dev.deadline.aop",
                    "dev.deadline.gateway",
                    "dev.deadline.resilience4j"),
            Set.of("dev.deadline.autoconfigure"));

    private static final JavaClasses PRODUCT = new ClassFileImporter().importPath(Path.of("target/classes"));

    @Test
    void everyPackageHasItsPlaceInARow() {
        assertThat(packages()).extracting(JavaPackage::getName).containsExactlyInAnyOrderElementsOf(names());
    }

    @Test
    void packagesImportOnlyFromTheRowsAbove() {
        Set<String> above = new TreeSet<>();
        for (Set<String> row : ROWS) {
            for (String name : row) {
                importsOf(name, above).check(PRODUCT);
            }
            above.addAll(row);
        }
    }

    @Test
    void ruleAboutImportsBitesWhenBrokenAndWhenItsPackageIsGone() {
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> importsOf("dev.deadline.engine", Set.of()).check(PRODUCT));
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> importsOf("dev.deadline.gone", Set.of(ROOT)).check(PRODUCT))
                .withMessageContaining("failed to check any classes");
    }

    @Test
    void rootKnowsOnlyTheJdk() {
        standsAlone(ROOT, ROOT).check(PRODUCT);
    }

    @Test
    void engineKnowsOnlyTheJdkAndTheRoot() {
        standsAlone("dev.deadline.engine", ROOT, "dev.deadline.engine").check(PRODUCT);
    }

    @Test
    void ruleAboutStandingAloneBitesOnSpring() {
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> standsAlone("dev.deadline.autoconfigure", "dev.deadline..")
                        .check(PRODUCT))
                .withMessageContaining("org.springframework");
    }

    @Test
    void everyPackageIsNullMarked() {
        assertThat(packages())
                .allSatisfy(each -> assertThat(
                                each.tryGetPackageInfo().isPresent() && each.isAnnotatedWith(NullMarked.class))
                        .as(each.getName())
                        .isTrue());
    }

    @Test
    void namesSayWhatTypesAre() {
        noClasses().should().haveNameMatching(".*(Impl|Utils?|Manager|Helper)").check(PRODUCT);
    }

    @Test
    void autoConfigurationsAreFinalAndKeepTheirBeansToThemselves() {
        assertThat(PRODUCT)
                .filteredOn(each -> each.getSimpleName().endsWith("AutoConfiguration"))
                .isNotEmpty()
                .allSatisfy(each -> {
                    assertThat(each.reflect()).as(each.getName()).isPublic().isFinal();
                    assertThat(each.reflect().getDeclaredMethods())
                            .as(each.getName())
                            .noneMatch(method -> Modifier.isPublic(method.getModifiers()));
                });
    }

    /** C75: a jump of the wall clock moves nothing, as only {@link Deadline#startedAt()} looks at it. */
    @Test
    void nothingGoesByTheWallClock() {
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName("dev.deadline.engine.TimeFrame")
                .should()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(Instant.class, "now")
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(Clock.class)
                .check(PRODUCT);
        assertThat(PRODUCT.get("dev.deadline.engine.TimeFrame").getMethodCallsFromSelf())
                .filteredOn(call -> call.getTargetOwner().isEquivalentTo(Instant.class))
                .allSatisfy(call -> assertThat(call.getOrigin().getName()).isEqualTo("startedAt"));
    }

    @Test
    void testsDoNotSleep() throws IOException {
        String sleep = "Thread." + "sleep(";
        List<Path> sleeping = new ArrayList<>();
        for (Path sources : List.of(Path.of("src/test/java"), Path.of("../compat/src/test/java"))) {
            try (Stream<Path> files = Files.walk(sources)) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    if (Files.readString(file).contains(sleep)) {
                        sleeping.add(file);
                    }
                }
            }
        }

        assertThat(sleeping).isEmpty();
    }

    private static ArchRule importsOf(String name, Set<String> above) {
        List<String> allowed = new ArrayList<>(above);
        allowed.add(name);
        return classes()
                .that()
                .resideInAPackage(name)
                .should()
                .onlyDependOnClassesThat(resideOutsideOfPackages("dev.deadline..")
                        .or(resideInAnyPackage(allowed.toArray(String[]::new))))
                .allowEmptyShould(false);
    }

    private static ArchRule standsAlone(String name, String... known) {
        return classes()
                .that()
                .resideInAPackage(name)
                .should()
                .onlyDependOnClassesThat(
                        resideInAnyPackage(known).or(resideInAnyPackage("java..", "org.jspecify.annotations")))
                .allowEmptyShould(false);
    }

    private static Set<JavaPackage> packages() {
        return PRODUCT.stream().map(JavaClass::getPackage).collect(Collectors.toSet());
    }

    private static Set<String> names() {
        return ROWS.stream().flatMap(Set::stream).collect(Collectors.toSet());
    }
}
