package dev.kvorum.simulation.architecture;

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
import dev.kvorum.simulation.run.Campaign;
import java.security.SecureRandom;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import reactor.core.scheduler.Schedulers;

/** What a simulation is made of depends on the seed alone, and its packages are in an order. */
class ArchitectureTest {
    private static final String ROOT = "dev.kvorum.simulation";
    private static final JavaClasses SIMULATION = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(ROOT);

    @Test
    void nothingButTheSeedDecides() {
        noClasses()
                .that()
                .doNotBelongToAnyOf(Campaign.class) // It measures how long real time seeds take, on real threads.
                .should()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(Math.class, "random")
                .orShould()
                .callMethod(UUID.class, "randomUUID")
                .orShould()
                .dependOnClassesThat()
                .belongToAnyOf(ThreadLocalRandom.class, SecureRandom.class, Random.class)
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(Executor.class)
                .check(SIMULATION);
    }

    @Test
    void onlyTheFencesKnowReactorsSchedulers() {
        noClasses()
                .that()
                .haveSimpleNameNotStartingWith("Fences")
                .should()
                .dependOnClassesThat()
                .belongToAnyOf(Schedulers.class)
                .check(SIMULATION);
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching(ROOT + ".(*)..").should().beFreeOfCycles().check(SIMULATION);
    }

    @Test
    void simulationKnowsNodesAndHistoriesAndNeitherOperatorNorBench() {
        noClasses()
                .should()
                .dependOnClassesThat(resideInAPackage("dev.kvorum..")
                        .and(not(resideInAnyPackage(
                                "dev.kvorum.simulation..",
                                "dev.kvorum.node..",
                                "dev.kvorum.topology..",
                                "dev.kvorum.control..",
                                "dev.kvorum.history.."))))
                .check(SIMULATION);
    }

    /** NullAway looks at marked packages alone. */
    @Test
    void everyPackageSaysThatNullIsMarked() {
        assertThat(SIMULATION.stream().map(JavaClass::getPackage).distinct())
                .isNotEmpty()
                .allSatisfy(javaPackage -> assertThat(javaPackage.isAnnotatedWith(NullMarked.class))
                        .isTrue());
    }
}
