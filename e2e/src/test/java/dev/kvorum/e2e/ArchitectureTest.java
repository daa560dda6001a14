package dev.kvorum.e2e;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;

/** Scenarios see a cluster as its users do. */
class ArchitectureTest {
    private static final JavaClasses ALL = new ClassFileImporter().importPackages("dev.kvorum.e2e");

    @Test
    void nothingOfNodeAndOperatorIsKnown() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "dev.kvorum.node..",
                        "dev.kvorum.operator..",
                        "dev.kvorum.topology..",
                        "dev.kvorum.control..",
                        "dev.kvorum.load..",
                        "dev.kvorum.simulation..",
                        "org.springframework..")
                .check(ALL);
    }

    @Test
    void packagesAreFreeOfCycles() {
        slices().matching("dev.kvorum.e2e.(*)..").should().beFreeOfCycles().check(ALL);
    }
}
