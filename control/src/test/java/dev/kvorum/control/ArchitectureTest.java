package dev.kvorum.control;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** Node and operator share this module: it brings no framework to any of them. */
class ArchitectureTest {
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
                .check(new ClassFileImporter()
                        .withImportOption(new ImportOption.DoNotIncludeTests())
                        .importPackages("dev.kvorum.control"));
    }
}
