package dev.kvorum.operator;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The arrows between the packages of the operator; and what it decides is decided in pure code. */
class ArchitectureTest {
    private static final String ROOT = "dev.kvorum.operator";

    /** What each package may use of the others. The root starts the operator, and may use all. */
    private static final Map<String, Set<String>> MAY_USE = Map.of(
            "api", Set.of(),
            "definition", Set.of("api"),
            "cluster", Set.of("api"),
            "reading", Set.of("api"),
            "node", Set.of(),
            "decision", Set.of("api", "cluster"),
            "dependents", Set.of("api", "cluster"),
            "reconciler", Set.of("api", "cluster", "decision", "dependents", "node", "reading"));

    static final Set<String> PACKAGES = MAY_USE.keySet();

    private static final JavaClasses OPERATOR = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(ROOT);

    @ParameterizedTest(name = "{0}")
    @FieldSource("PACKAGES")
    void packageUsesOnlyWhatItMay(String name) {
        String[] allowed = Stream.concat(Stream.of(name), MAY_USE.getOrDefault(name, Set.of()).stream())
                .map(other -> ROOT + "." + other)
                .toArray(String[]::new);

        noClasses()
                .that()
                .resideInAPackage(ROOT + "." + name)
                .should()
                .dependOnClassesThat(resideInAPackage(ROOT + "..").and(not(resideInAnyPackage(allowed))))
                .check(OPERATOR);
    }

    @Test
    void everyPackageHasItsRowInTheTable() {
        Set<String> packages = OPERATOR.stream()
                .map(JavaClass::getPackageName)
                .filter(name -> !name.equals(ROOT))
                .map(name -> name.substring(ROOT.length() + 1))
                .collect(Collectors.toSet());

        assertThat(packages).containsExactlyInAnyOrderElementsOf(PACKAGES);
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching(ROOT + ".(*)..").should().beFreeOfCycles().check(OPERATOR);
    }

    /** It knows Kubernetes' objects, and the time that it is given; it asks nobody. */
    @Test
    void decisionsAreMadeInPureCode() {
        noClasses()
                .that()
                .resideInAPackage(ROOT + ".decision")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.fabric8.kubernetes.client..",
                        "io.javaoperatorsdk..",
                        "dev.kvorum.control..",
                        "java.net.http..",
                        "java.io..",
                        "java.nio.file..",
                        "java.util.concurrent..")
                .orShould()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(Instant.class, "now")
                .orShould()
                .callMethod(Instant.class, "now", Clock.class)
                .orShould()
                .callMethod(Math.class, "random")
                .check(OPERATOR);
    }

    @Test
    void nodesAreKnownByTheirInterfacesAlone() {
        noClasses()
                .should()
                .dependOnClassesThat(resideInAPackage("dev.kvorum..")
                        .and(not(resideInAnyPackage(
                                "dev.kvorum.operator..", "dev.kvorum.control..", "dev.kvorum.topology.."))))
                .check(OPERATOR);
    }

    /** NullAway looks at marked packages alone. */
    @Test
    void everyPackageSaysThatNullIsMarked() {
        assertThat(OPERATOR.stream().map(JavaClass::getPackage).distinct())
                .isNotEmpty()
                .allSatisfy(javaPackage -> assertThat(javaPackage.isAnnotatedWith(NullMarked.class))
                        .isTrue());
    }
}
