package dev.perch;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The table "Modules and packages" of docs/architecture.md: a package uses only those that its row names. */
class ArchitectureTest {

    /** A package of {@code core}, with all below it, and the others that it may use. */
    record Row(String name, List<String> mayUse) {

        String packages() {
            return "dev.perch." + name + "..";
        }
    }

    static final List<Row> TABLE = List.of(
            new Row("model", List.of()),
            new Row("trace", List.of("model")),
            new Row("yaml", List.of("model")),
            new Row("machines", List.of("model", "yaml")),
            new Row("kernel", List.of("model", "yaml")),
            new Row("decide", List.of("model", "kernel")),
            new Row("sim", List.of("model", "kernel")),
            new Row("audit", List.of("model", "kernel")),
            new Row("export", List.of("model", "trace", "audit")),
            new Row("workloads", List.of("model", "yaml", "kernel", "sim")),
            new Row("lab", List.of("model", "yaml", "machines", "kernel", "sim", "workloads", "audit")));

    private static final JavaClasses CORE = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.perch");

    @ParameterizedTest
    @FieldSource("TABLE")
    void usesOnlyWhatItsRowNames(Row row) {
        String[] allowed = Stream.concat(Stream.of(row.name()), row.mayUse().stream())
                .map(name -> "dev.perch." + name + "..")
                .toArray(String[]::new);
        noClasses()
                .that()
                .resideInAPackage(row.packages())
                .should()
                .dependOnClassesThat(resideInAPackage("dev.perch..").and(not(resideInAnyPackage(allowed))))
                .check(CORE);
    }

    @Test
    void everyPackageIsInTheTable() {
        assertThat(CORE.getPackage("dev.perch").getSubpackages())
                .extracting(JavaPackage::getRelativeName)
                .isSubsetOf(TABLE.stream().map(Row::name).toList());
    }

    @Test
    void packagesFormNoCycles() {
        slices().matching("dev.perch.(**)").should().beFreeOfCycles().check(CORE);
    }

    @Test
    void everyPackageIsNullMarked() {
        assertThat(CORE.getPackage("dev.perch").getSubpackagesInTree())
                .filteredOn(candidate -> !candidate.getClasses().isEmpty())
                .allMatch(candidate -> candidate.isAnnotatedWith(NullMarked.class));
    }
}
