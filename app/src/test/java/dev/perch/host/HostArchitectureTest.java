package dev.perch.host;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rows of {@code host} in docs/architecture.md: Linux's calls and machine code know nothing of what they are for, and nobody looks back. */
class HostArchitectureTest {
    private static final JavaClasses HOST = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.perch.host", "dev.perch.cli");

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    linux       | machinecode, bench, record, probe, calibrate
                    machinecode | linux, bench, record, probe, calibrate
                    bench       | record, probe, calibrate
                    record      | bench, probe, calibrate, machinecode
                    probe       | record, calibrate, machinecode
                    calibrate   | record, machinecode
                    """)
    void eachPartUsesOnlyWhatItsRowNames(String part, String others) {
        String[] forbidden = Arrays.stream(others.split(", "))
                .map(other -> "dev.perch.host." + other + "..")
                .toArray(String[]::new);
        noClasses()
                .that()
                .resideInAPackage("dev.perch.host." + part + "..")
                .should()
                .dependOnClassesThat(resideInAnyPackage(forbidden))
                .check(HOST);
    }

    @Test
    void theHostKnowsNothingOfTheCommandLine() {
        noClasses()
                .that()
                .resideInAPackage("dev.perch.host..")
                .should()
                .dependOnClassesThat(
                        resideInAnyPackage("dev.perch.cli..", "picocli..", "dev.perch.store..", "dev.perch.report.."))
                .check(HOST);
    }

    @Test
    void packagesFormNoCycles() {
        slices().matching("dev.perch.(**)").should().beFreeOfCycles().check(HOST);
    }
}
