package dev.perch.report;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The row of {@code report} in docs/architecture.md, and the order of the packages in it: drawing, observe, chart, pages. */
class ReportArchitectureTest {
    private static final JavaClasses APP = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.perch.report", "dev.perch.cli");

    @Test
    void reportsKnowNothingOfTheCommandLine() {
        noClasses()
                .that()
                .resideInAPackage("dev.perch.report..")
                .should()
                .dependOnClassesThat(resideInAnyPackage("dev.perch.cli..", "picocli.."))
                .check(APP);
    }

    @Test
    void drawingsKnowNothingOfWhatTheyShow() {
        noClasses()
                .that()
                .resideInAPackage("dev.perch.report.drawing..")
                .should()
                .dependOnClassesThat(resideInAnyPackage(
                        "dev.perch.lab..",
                        "dev.perch.audit..",
                        "dev.perch.report.chart..",
                        "dev.perch.report.observe.."))
                .check(APP);
    }

    @Test
    void packagesFormNoCycles() {
        slices().matching("dev.perch.(**)").should().beFreeOfCycles().check(APP);
    }
}
