package dev.kvorum.topology;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.kvorum.topology.change.MemberReportJson;
import java.net.URI;
import java.net.URISyntaxException;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/** Node and operator share this module: it brings neither a framework nor I/O to either. */
class ArchitectureTest {
    private static final JavaClasses TOPOLOGY = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.kvorum.topology");

    @Test
    void topologyIsFreeOfFrameworksAndInputOutput() {
        classes()
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(
                                "dev.kvorum.topology..",
                                "java.lang..",
                                "java.util..",
                                "com.dynatrace.hash4j.hashing",
                                "tools.jackson..",
                                "com.fasterxml.jackson.annotation",
                                "org.jspecify.annotations")
                        .or(belongToAnyOf(URI.class, URISyntaxException.class)))
                .check(TOPOLOGY);
    }

    @Test
    void onlyTheFormatsKnowJson() {
        noClasses()
                .that()
                .doNotBelongToAnyOf(TopologyJson.class, MemberReportJson.class)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("tools.jackson..", "com.fasterxml.jackson..")
                .check(TOPOLOGY);
    }

    @Test
    void topologyAsksNeitherClockNorChance() {
        noClasses()
                .should()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(Math.class, "random")
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(java.util.random.RandomGenerator.class)
                .check(TOPOLOGY);
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching("dev.kvorum.(**)").should().beFreeOfCycles().check(TOPOLOGY);
    }

    /** NullAway looks at marked packages alone. */
    @Test
    void everyPackageSaysThatNullIsMarked() {
        assertThat(TOPOLOGY.stream().map(JavaClass::getPackage).distinct())
                .isNotEmpty()
                .allSatisfy(javaPackage -> assertThat(javaPackage.isAnnotatedWith(NullMarked.class))
                        .isTrue());
    }
}
