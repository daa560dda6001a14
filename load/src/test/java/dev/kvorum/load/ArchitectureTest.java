package dev.kvorum.load;

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
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/** The bench measures nodes as processes: of their classes it has none. */
class ArchitectureTest {
    private static final JavaClasses LOAD = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.kvorum.load");

    @Test
    void nodesAreKnownByTheirInterfacesAlone() {
        noClasses()
                .should()
                .dependOnClassesThat(resideInAPackage("dev.kvorum..")
                        .and(not(resideInAnyPackage(
                                "dev.kvorum.load..",
                                "dev.kvorum.history..",
                                "dev.kvorum.control..",
                                "dev.kvorum.topology.."))))
                .check(LOAD);
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching("dev.kvorum.load.(*)..").should().beFreeOfCycles().check(LOAD);
    }

    /** NullAway looks at marked packages alone. */
    @Test
    void everyPackageSaysThatNullIsMarked() {
        assertThat(LOAD.stream().map(JavaClass::getPackage).distinct())
                .isNotEmpty()
                .allSatisfy(javaPackage -> assertThat(javaPackage.isAnnotatedWith(NullMarked.class))
                        .isTrue());
    }
}
