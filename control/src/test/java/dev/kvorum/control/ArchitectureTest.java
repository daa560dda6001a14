package dev.kvorum.control;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/** Node and operator share this module: it brings no framework to any of them. */
class ArchitectureTest {
    private static final JavaClasses CONTROL = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.kvorum.control");

    @Test
    void controlIsFreeOfFrameworks() {
        classes()
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(
                        "dev.kvorum.control..",
                        "dev.kvorum.topology..",
                        "java..",
                        "tools.jackson..",
                        "org.jspecify.annotations"))
                .check(CONTROL);
    }

    /** NullAway looks at marked packages alone. */
    @Test
    void everyPackageSaysThatNullIsMarked() {
        assertThat(CONTROL.stream().map(JavaClass::getPackage).distinct())
                .isNotEmpty()
                .allSatisfy(javaPackage -> assertThat(javaPackage.isAnnotatedWith(NullMarked.class))
                        .isTrue());
    }
}
