package dev.perch.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.perch.cli.ScriptSandbox.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The script {@code perch} at the root, on a machine of its own with stand-ins for {@code java} and {@code mvn}. */
@DisabledOnOs(OS.WINDOWS)
class PerchScriptTest {

    private ScriptSandbox sandbox;

    @BeforeEach
    void makeMachine(@TempDir Path folder) throws IOException {
        sandbox = new ScriptSandbox(folder);
    }

    @Nested
    class ChoosesJdk {

        @Test
        void ofJavaHomeFirst() throws Exception {
            sandbox.installJdk("usr/lib/jvm/jdk-26", "26");
            sandbox.putInPath(sandbox.installJdk("opt/jdk-27", "27.0.1"));
            Path jdk = sandbox.installJdk("somewhere/my jdk", "25.0.3");
            sandbox.set("JAVA_HOME", jdk.toString());

            assertThat(sandbox.run().printed("home")).containsExactly(jdk.toString());
        }

        @Test
        void ofTheJavaInPathWhenJavaHomeIsOlder() throws Exception {
            sandbox.installJdk("usr/lib/jvm/jdk-26", "26");
            Path jdk = sandbox.installJdk("elsewhere/jdk-25", "25");
            sandbox.putInPath(jdk);
            sandbox.set("JAVA_HOME", sandbox.installJdk("opt/jdk8", "1.8.0_402").toString());

            assertThat(sandbox.run().printed("home")).containsExactly(jdk.toString());
        }

        @Test
        void ofTheUsualFoldersWhenTheDefaultJavaIsOlder() throws Exception {
            sandbox.putInPath(sandbox.installJdk("usr/lib/jvm/java-17", "17.0.15"));
            Path jdk = sandbox.installJdk("usr/lib/jvm/temurin-25", "25.0.3");

            assertThat(sandbox.run().printed("home")).containsExactly(jdk.toString());
        }

        @Test
        void ofTheHomeFolder() throws Exception {
            sandbox.set("HOME", sandbox.machine().resolve("home/someone").toString());
            Path jdk = sandbox.installJdk("home/someone/.sdkman/candidates/java/25.0.1-tem", "25.0.1");

            assertThat(sandbox.run().printed("home")).containsExactly(jdk.toString());
        }

        @Test
        void andNamesThoseItFoundWhenNoneIsNewEnough() throws Exception {
            Path old = sandbox.installJdk("usr/lib/jvm/java-17", "17.0.15");
            sandbox.putInPath(old);
            Path older = sandbox.installJdk("opt/jdk8", "1.8.0_402");
            Path runtimeOnly = sandbox.installJdk("opt/jre-25", "25.0.3");
            Files.delete(runtimeOnly.resolve("bin/javac"));

            Outcome outcome = sandbox.run();

            assertRefused(outcome, "needs a JDK 25 or newer", "JAVA_HOME");
            assertThat(outcome.errors())
                    .contains("Java 17 in " + old + ",")
                    .contains("Java 8 in " + older)
                    .contains("Java 25 without a compiler in " + runtimeOnly);
        }

        @Test
        void andSaysSoWhenThereIsNone() throws Exception {
            assertRefused(sandbox.run(), "needs a JDK 25 or newer and found none;");
        }
    }

    @Nested
    class Builds {

        private Path jdk;

        @BeforeEach
        void installJdk() throws IOException {
            jdk = sandbox.installJdk("usr/lib/jvm/jdk-25", "25.0.3");
        }

        @Test
        void theFirstTimeWithTheJdkItFoundAndSilently() throws Exception {
            Outcome outcome = sandbox.run();

            assertThat(outcome.exitCode()).isZero();
            assertThat(outcome.errors()).isEmpty();
            assertThat(sandbox.builds())
                    .singleElement()
                    .asString()
                    .startsWith("JAVA_HOME=" + jdk + " ")
                    .endsWith(" package");
        }

        @Test
        void notAgainWhileNoSourceChanges() throws Exception {
            sandbox.run();
            sandbox.run();

            assertThat(sandbox.builds()).hasSize(1);
        }

        @Test
        void againWhenASourceIsNewer() throws Exception {
            sandbox.run();
            sandbox.age(Duration.ofMinutes(1));
            ScriptSandbox.write(sandbox.root().resolve("core/src/main/java/Used.java"), "final class Used {}");
            sandbox.run();
            sandbox.run();

            assertThat(sandbox.builds()).hasSize(2);
        }

        @Test
        void againWhenASourceIsGone() throws Exception {
            sandbox.run();
            sandbox.age(Duration.ofMinutes(1));
            Files.delete(sandbox.root().resolve("app/src/main/java/Unused.java"));
            sandbox.run();

            assertThat(sandbox.builds()).hasSize(2);
        }

        @Test
        void onlyOnceWhenMavenLeavesAnUnchangedJarAlone() throws Exception {
            sandbox.run();
            sandbox.age(Duration.ofMinutes(1));
            ScriptSandbox.write(sandbox.root().resolve("pom.xml"), "<project></project>");
            sandbox.installMaven("echo again >>\"$MAVEN_LOG\"");
            sandbox.run();
            sandbox.run();

            assertThat(sandbox.builds()).hasSize(2);
        }

        @Test
        void notWhatMavenHasBuiltByItself() throws Exception {
            ScriptSandbox.write(sandbox.root().resolve("app/target/app-1.jar"), "built");
            Files.createDirectory(sandbox.root().resolve("app/target/lib"));
            sandbox.removeMaven();

            assertThat(sandbox.run("list").arguments()).containsExactly("list");
        }

        @Test
        void onceWhenTwoFirstUsesCoincide() throws Exception {
            assumeTrue(Files.isExecutable(Path.of("/usr/bin/flock")), "no flock here, so no lock");
            sandbox.set("MAVEN_SECONDS", "0.5");

            Process first = sandbox.start();
            Process second = sandbox.start();

            assertThat(ScriptSandbox.finish(first).exitCode()).isZero();
            assertThat(ScriptSandbox.finish(second).exitCode()).isZero();
            assertThat(sandbox.builds()).hasSize(1);
        }

        @Test
        void notWithoutMaven() throws Exception {
            sandbox.removeMaven();

            assertRefused(sandbox.run(), "there is no mvn in PATH", "install Maven");
        }

        @Test
        void notWithoutTheNetworkThatMavenNeeds() throws Exception {
            // As Maven 3.8.7 says it.
            sandbox.installMaven("""
                    echo '[ERROR] Plugin org.apache.maven.plugins:maven-enforcer-plugin:3.7.0 or one of its dependencies \
                    could not be resolved: Could not transfer artifact org.apache.maven.plugins:maven-enforcer-plugin:pom:3.7.0 \
                    from/to central (https://repo.maven.apache.org/maven2): Temporary failure in name resolution -> [Help 1]'
                    echo '[ERROR] '
                    echo '[ERROR] To see the full stack trace of the errors, re-run Maven with the -e switch.'
                    exit 1
                    """);

            assertRefused(
                    sandbox.run(),
                    "Maven cannot download what it needs",
                    "maven-enforcer-plugin:3.7.0",
                    "settings.xml");
        }

        @Test
        void andShowsTheCompilersLinesOnceWhenItRefuses() throws Exception {
            sandbox.installMaven("""
                    echo 'WARNING: a terminally deprecated method has been called'
                    echo '[ERROR] COMPILATION ERROR : '
                    echo '[ERROR] /src/Used.java:[3,9] cannot find symbol'
                    echo '  symbol:   variable cpu'
                    echo '[ERROR] Failed to execute goal maven-compiler-plugin:compile: Compilation failure'
                    echo '[ERROR] /src/Used.java:[3,9] cannot find symbol'
                    exit 1
                    """);

            Outcome outcome = sandbox.run();

            assertThat(outcome.exitCode()).isEqualTo(1);
            assertThat(outcome.output()).isEmpty();
            assertThat(outcome.errors().lines())
                    .containsExactly(
                            "/src/Used.java:[3,9] cannot find symbol",
                            "  symbol:   variable cpu",
                            "perch: cannot be built: the compiler refuses the sources, see above");
        }

        @Test
        void andTellsAnyOtherFailureInMavensWords() throws Exception {
            // As Maven 3.8.7 says it.
            sandbox.installMaven("""
                    echo '[ERROR] Failed to execute goal maven-enforcer-plugin:3.7.0:enforce (default) on project perch: '
                    echo '[ERROR] Rule 0: RequireMavenVersion failed with message:'
                    echo '[ERROR] Detected Maven Version: 3.6.3 is not in the allowed range [3.8.1,).'
                    echo '[ERROR] -> [Help 1]'
                    echo '[ERROR] '
                    echo '[ERROR] To see the full stack trace of the errors, re-run Maven with the -e switch.'
                    exit 1
                    """);

            Outcome outcome = sandbox.run();

            assertRefused(outcome, "cannot be built", sandbox.root().toString(), "3.6.3 is not in the allowed range");
            assertThat(outcome.errors()).doesNotContain("Help").doesNotContain("stack trace");
        }

        @Test
        void againAfterAFailure() throws Exception {
            sandbox.installMaven("echo failed >>\"$MAVEN_LOG\"; exit 1");
            sandbox.run();
            sandbox.run();

            assertThat(sandbox.builds()).hasSize(2);
        }
    }

    @Nested
    class WhereNothingCanBeWritten {

        @BeforeEach
        void needAnOrdinaryUser() throws IOException {
            assumeTrue(ScriptSandbox.hasOrdinaryUser(), "root may write everywhere, and there is no setpriv here");
            sandbox.installJdk("usr/lib/jvm/jdk-25", "25.0.3");
        }

        @Test
        void refusesToBuild() throws Exception {
            sandbox.makeReadOnly(sandbox.root());
            try {
                assertRefused(sandbox.runAsOrdinaryUser(), "is not built yet", "cannot be written");
            } finally {
                sandbox.makeWritable(sandbox.root());
            }
        }

        @Test
        void runsWhatIsBuiltEvenWhenSourcesAreNewer() throws Exception {
            sandbox.run();
            sandbox.age(Duration.ofMinutes(1));
            ScriptSandbox.write(sandbox.root().resolve("pom.xml"), "<project></project>");
            sandbox.makeReadOnly(sandbox.root());
            try {
                Outcome outcome = sandbox.runAsOrdinaryUser("list");

                assertThat(outcome.errors()).isEmpty();
                assertThat(outcome.arguments()).containsExactly("list");
                assertThat(sandbox.builds()).hasSize(1);
            } finally {
                sandbox.makeWritable(sandbox.root());
            }
        }

        @Test
        void keepsItsCacheInTheUsersCacheFolder() throws Exception {
            Path caches = Files.createDirectory(sandbox.machine().resolve("caches"));
            Files.setPosixFilePermissions(caches, PosixFilePermissions.fromString("rwxrwxrwx"));
            sandbox.set("XDG_CACHE_HOME", caches.toString());
            sandbox.run();
            Files.delete(theCacheIn(sandbox.root().resolve("target")));
            sandbox.makeReadOnly(sandbox.root());
            try {
                Outcome outcome = sandbox.runAsOrdinaryUser();

                assertThat(outcome.printed("argument")).contains("-XX:AOTCache=" + theCacheIn(caches.resolve("perch")));
            } finally {
                sandbox.makeWritable(sandbox.root());
            }
        }

        @Test
        void doesWithoutACacheWhenThatFolderCannotBeWrittenEither() throws Exception {
            sandbox.set("HOME", sandbox.machine().toString());
            sandbox.run();
            Files.delete(theCacheIn(sandbox.root().resolve("target")));
            sandbox.makeReadOnly(sandbox.root());
            try {
                Outcome outcome = sandbox.runAsOrdinaryUser();

                assertThat(outcome.exitCode()).isZero();
                assertThat(outcome.errors()).isEmpty();
                assertThat(outcome.printed("argument")).noneMatch(argument -> argument.startsWith("-XX:AOTCache"));
            } finally {
                sandbox.makeWritable(sandbox.root());
            }
        }
    }

    @Nested
    class Starts {

        private Path jdk;

        @BeforeEach
        void installJdk() throws IOException {
            jdk = sandbox.installJdk("usr/lib/jvm/jdk-25", "25.0.3");
        }

        @Test
        void javaInTheUsersFolderWithTheArgumentsAsTheyAre() throws Exception {
            Outcome outcome = sandbox.run("run", "two words", "", "*", "--kernel=v6.12,NO_SIS_UTIL");

            assertThat(outcome.arguments()).containsExactly("run", "two words", "", "*", "--kernel=v6.12,NO_SIS_UTIL");
            assertThat(outcome.printed("folder"))
                    .containsExactly(sandbox.machine().toString());
            assertThat(outcome.printed("argument")).contains("-Dperch.home=" + sandbox.root());
        }

        @Test
        void javaInItsOwnPlaceSoThatSignalsReachIt() throws Exception {
            Outcome outcome = sandbox.run();

            assertThat(outcome.printed("pid")).containsExactly(Long.toString(outcome.pid()));
        }

        @Test
        void andEndsAsJavaEnds() throws Exception {
            sandbox.set("JAVA_EXIT_CODE", "2");

            assertThat(sandbox.run().exitCode()).isEqualTo(2);
        }

        @Test
        void throughSymbolicLinks() throws Exception {
            Path bin = Files.createDirectories(sandbox.machine().resolve("home/bin"));
            Path direct = Files.createSymbolicLink(bin.resolve("direct"), Path.of("../../../source tree/perch"));
            Path link = Files.createSymbolicLink(sandbox.machine().resolve("perch"), direct);

            Outcome outcome = sandbox.run(link, "list");

            assertThat(outcome.arguments()).containsExactly("list");
            assertThat(outcome.printed("argument")).contains("-Dperch.home=" + sandbox.root());
        }

        @Test
        void withACacheThatTheFirstUseMakes() throws Exception {
            Outcome outcome = sandbox.run();

            Path cache = theCacheIn(sandbox.root().resolve("target"));
            assertThat(cache).hasContent("cache").hasFileName("perch-25.0.3+9-LTS.aot");
            assertThat(outcome.printed("argument")).contains("-XX:AOTCache=" + cache);
        }

        @Test
        void withANewCacheForANewBuild() throws Exception {
            sandbox.run();
            Path cache = theCacheIn(sandbox.root().resolve("target"));
            Files.writeString(cache, "old cache");
            sandbox.age(Duration.ofMinutes(1));
            ScriptSandbox.write(sandbox.root().resolve("app/target/app-1.jar"), "built by hand");
            sandbox.run();

            assertThat(cache).hasContent("cache");
        }

        @Test
        void withACacheForEachJdk() throws Exception {
            sandbox.run();
            sandbox.set("JAVA_HOME", sandbox.installJdk("opt/jdk-26", "26").toString());
            sandbox.run();

            assertThat(sandbox.root().resolve("target/perch-25.0.3+9-LTS.aot")).exists();
            assertThat(sandbox.root().resolve("target/perch-26+9-LTS.aot")).exists();
        }

        @Test
        void withoutACacheWhenTheJdkMakesNoneAndDoesNotTryAgain() throws Exception {
            ScriptSandbox.write(jdk.resolve("bin/java"), """
                    #!/bin/sh
                    case $* in
                        *AOTCacheOutput*)
                            echo tried >>"$MAVEN_LOG"
                            echo 'Unrecognized VM option' >&2
                            exit 1
                            ;;
                    esac
                    echo "argument $*"
                    """);

            assertThat(sandbox.run().output()).doesNotContain("AOT");
            Outcome second = sandbox.run();

            assertThat(second.exitCode()).isZero();
            assertThat(second.errors()).isEmpty();
            assertThat(sandbox.builds()).filteredOn("tried"::equals).hasSize(1);
        }
    }

    private static Path theCacheIn(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".aot"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    /** One line on standard error that holds these words, nothing on standard output, exit code 1. */
    private static void assertRefused(Outcome outcome, String... words) {
        assertThat(outcome.exitCode()).isEqualTo(1);
        assertThat(outcome.output()).isEmpty();
        assertThat(outcome.errors()).startsWith("perch: ").contains(words).hasLineCount(1);
    }
}
