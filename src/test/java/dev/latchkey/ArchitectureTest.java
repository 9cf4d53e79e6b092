package dev.latchkey;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.conditions.ArchConditions.callMethodWhere;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import dev.latchkey.gateway.Clocks;
import java.time.Clock;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/// Which package may know which, and what the code may not call. A package that does not exist yet breaks no rule.
class ArchitectureTest {

    private static final JavaClasses ALL = new ClassFileImporter().importPackages("dev.latchkey");
    private static final JavaClasses MAIN = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests()).importPackages("dev.latchkey");

    /// The packages that only the wiring names.
    private static final String[] IMPLEMENTATIONS = {
        "dev.latchkey.postgres..", "dev.latchkey.downstream..", "dev.latchkey.server.."};

    @Test
    void theProgramsClassesAreLookedAt() {
        assertThat(MAIN.contain(Main.class)).isTrue();
        assertThat(MAIN.contain(ArchitectureTest.class)).isFalse();
        assertThat(ALL.contain(ArchitectureTest.class)).isTrue();
    }

    @Test
    void protocolSeesOnlyJavaAndHttp() {
        hold(classes().that().resideInAPackage("dev.latchkey.protocol..").should().onlyDependOnClassesThat()
                .resideInAnyPackage("java..", "org.jspecify..", "dev.latchkey.http..", "dev.latchkey.protocol..")
                .because("it decides everything and does nothing"));
    }

    @Test
    void protocolDoesNoInputOrOutput() {
        hold(noClasses().that().resideInAPackage("dev.latchkey.protocol..").should().dependOnClassesThat()
                .resideInAnyPackage("java.net..", "java.nio.file..", "java.nio.channels..", "java.sql..",
                        "java.util.concurrent.."));
    }

    @Test
    void httpSeesOnlyJava() {
        hold(classes().that().resideInAPackage("dev.latchkey.http..").should().onlyDependOnClassesThat()
                .resideInAnyPackage("java..", "org.jspecify..", "dev.latchkey.http.."));
    }

    @Test
    void onlyServerAndSandboxKnowTheWebServer() {
        onlyIn("dev.latchkey.server.. dev.latchkey.sandbox..", "io.javalin..", "org.eclipse.jetty..",
                "jakarta.servlet..");
    }

    @Test
    void onlyPostgresKnowsTheDatabase() {
        onlyIn("dev.latchkey.postgres..", "java.sql..", "javax.sql..", "org.jdbi..", "com.zaxxer..", "org.flywaydb..",
                "org.postgresql..", "io.zonky..");
    }

    /// A wait for a standby that is cancelled looks like a success.
    @Test
    void noStatementIsCancelled() {
        hold(noClasses().that().resideInAPackage("dev.latchkey.postgres..").should().callMethodWhere(
                DescribedPredicate.describe("a statement is cancelled", call -> call.getName()
                        .matches("setQueryTimeout|cancel|cancelQuery"))));
    }

    @Test
    void onlyDownstreamKnowsTheHttpClients() {
        onlyIn("dev.latchkey.downstream..", "org.apache.hc..");
        // It repeats and follows by itself: never between a caller and a downstream.
        onlyIn("dev.latchkey.cli.. dev.latchkey.torture..", "java.net.http..");
    }

    @Test
    void onlyTheIssuersPackageKnowsTheTokensLibrary() {
        onlyIn("dev.latchkey.issuer..", "com.nimbusds..");
    }

    @Test
    void onlyGatewayKnowsTheCache() {
        onlyIn("dev.latchkey.gateway..", "com.github.benmanes..");
    }

    @Test
    void onlyTheCommandsKnowTheCommandLine() {
        onlyIn("dev.latchkey dev.latchkey.cli..", "picocli..");
    }

    @Test
    void onlyTheWiringNamesImplementations() {
        for (String implementation : IMPLEMENTATIONS) {
            hold(noClasses().that(resideOutsideOfPackages(implementation, "dev.latchkey")).should()
                    .dependOnClassesThat(resideInAnyPackage(implementation)));
        }
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching("dev.latchkey.(*)..").should().beFreeOfCycles().allowEmptyShould(true).check(MAIN);
    }

    @Test
    void everyPackageIsNullMarked() {
        classes().should(new ArchCondition<>("be in a package whose package-info is @NullMarked") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                JavaPackage home = type.getPackage();
                boolean marked = home.isAnnotatedWith(NullMarked.class);
                events.add(new SimpleConditionEvent(home, marked, home.getName() + " is not @NullMarked"));
            }
        }).check(ALL);
    }

    @Test
    void nobodyReadsTheSystemClockOrSleeps() {
        noClasses().that().areNotAssignableTo(Clocks.class)
                .should(callMethodWhere(readsTheClock().or(sleeps())))
                .because("time comes by the constructor, so that tests own it: dev.latchkey.gateway.Clocks")
                .check(MAIN);
    }

    @Test
    void testsDoNotSleepEither() {
        noClasses().that().areNotAssignableTo(Clocks.class)
                .should(callMethodWhere(sleeps())).because("they wait on a condition").check(ALL);
    }

    @Test
    void namesSayWhatAThingIs() {
        noClasses().should().haveSimpleNameEndingWith("Util").orShould().haveSimpleNameEndingWith("Utils").orShould()
                .haveSimpleNameEndingWith("Helper").orShould().haveSimpleNameEndingWith("Impl").orShould()
                .haveSimpleNameEndingWith("Manager").orShould().haveSimpleNameEndingWith("Service").orShould()
                .haveSimpleNameStartingWith("Default").orShould()
                .resideInAnyPackage("..common..", "..util..", "..utils..", "..impl..", "..helper..", "..helpers..")
                .check(ALL);
    }

    @Test
    void theInMemoryLedgerIsForTestsOnly() {
        noClasses().should().haveSimpleNameContaining("InMemory").orShould().resideInAPackage("dev.latchkey.testing..")
                .check(MAIN);
    }

    /// @param rooms where the libraries may be known, apart by spaces
    private static void onlyIn(String rooms, String... libraries) {
        hold(noClasses().that(resideOutsideOfPackages(rooms.split(" "))).should()
                .dependOnClassesThat(resideInAnyPackage(libraries)));
    }

    private static void hold(ArchRule rule) {
        rule.allowEmptyShould(true).check(MAIN);
    }

    private static DescribedPredicate<JavaMethodCall> readsTheClock() {
        return calls(System.class, "currentTimeMillis|nanoTime").or(calls(Instant.class, "now"))
                .or(calls(Clock.class, "system.*|tick.*"))
                .or(DescribedPredicate.describe("java.time's now()", call -> call.getName().equals("now")
                        && call.getTargetOwner().getPackageName().equals("java.time")))
                .as("read the system's clock");
    }

    private static DescribedPredicate<JavaMethodCall> sleeps() {
        return calls(Thread.class, "sleep").or(calls(TimeUnit.class, "sleep")).as("sleep");
    }

    private static DescribedPredicate<JavaMethodCall> calls(Class<?> type, String methods) {
        return DescribedPredicate.describe(type.getSimpleName() + "." + methods,
                call -> call.getTargetOwner().isEquivalentTo(type) && call.getName().matches(methods));
    }
}
