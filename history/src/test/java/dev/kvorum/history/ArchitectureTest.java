package dev.kvorum.history;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/** Whatever drives a cluster can use this module: it brings no framework, and nothing of the store that it judges. */
class ArchitectureTest {
    private static final JavaClasses HISTORY = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.kvorum.history");

    @Test
    void historyKnowsNeitherFrameworksNorTheStore() {
        classes()
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(
                        "dev.kvorum.history..", "java..", "tools.jackson..", "org.jspecify.annotations"))
                .check(HISTORY);
    }

    @Test
    void onlyTheFileFormatKnowsJson() {
        noClasses()
                .that()
                .doNotBelongToAnyOf(HistoryFile.class)
                .should()
                .dependOnClassesThat()
                .resideInAPackage("tools.jackson..")
                .check(HISTORY);
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching("dev.kvorum.(**)").should().beFreeOfCycles().check(HISTORY);
    }

    /** NullAway looks at marked packages alone. */
    @Test
    void everyPackageSaysThatNullIsMarked() {
        assertThat(HISTORY.stream().map(JavaClass::getPackage).distinct())
                .isNotEmpty()
                .allSatisfy(javaPackage -> assertThat(javaPackage.isAnnotatedWith(NullMarked.class))
                        .isTrue());
    }
}
