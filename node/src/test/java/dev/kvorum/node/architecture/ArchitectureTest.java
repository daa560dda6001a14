package dev.kvorum.node.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.springframework.util.unit.DataSize;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** The arrows between the packages of a node, and the manners of its pure ones. */
class ArchitectureTest {
    private static final String ROOT = "dev.kvorum.node";

    /** What each package may use; {@code boot} may use all, and all may use {@code config}. */
    static final Map<String, Set<String>> MAY_USE = Map.ofEntries(
            entry("cell", Set.of()),
            entry("quorum", Set.of()),
            entry("config", Set.of()),
            entry("storage", Set.of("cell")),
            entry("storage.directory", Set.of("storage")),
            entry("storage.rocks", Set.of("cell", "storage", "storage.directory", "thread")),
            entry("membership", Set.of("cell", "topology")),
            entry("frame", Set.of()),
            entry("admission", Set.of("cell", "http")),
            entry("replica", Set.of("cell", "frame", "storage", "membership", "topology")),
            entry("deadline", Set.of()),
            entry("clock", Set.of("deadline", "membership", "topology")),
            entry("heartbeat", Set.of("clock", "deadline", "membership", "replica", "topology", "verification")),
            entry("thread", Set.of()),
            entry("hint", Set.of("cell", "deadline", "membership", "replica", "storage", "topology")),
            entry("verification", Set.of("membership", "storage", "topology")),
            entry("copy", Set.of("cell", "deadline", "replica", "storage", "topology", "verification")),
            entry(
                    "repair",
                    Set.of("cell", "copy", "deadline", "membership", "replica", "storage", "topology", "verification")),
            entry("scrub", Set.of("cell", "copy", "deadline", "repair", "storage")),
            entry(
                    "catchup",
                    Set.of(
                            "cell",
                            "copy",
                            "deadline",
                            "membership",
                            "repair",
                            "replica",
                            "storage",
                            "topology",
                            "verification")),
            entry(
                    "transfer",
                    Set.of("cell", "copy", "storage", "deadline", "membership", "replica", "repair", "topology")),
            entry("command", Set.of("contract", "restamp", "storage", "storage.rocks", "topology")),
            entry("restamp", Set.of("cell", "consensus", "storage", "storage.rocks")),
            entry("control", Set.of("contract", "membership", "replica", "topology")),
            entry(
                    "coordinator",
                    Set.of(
                            "cell",
                            "clock",
                            "quorum",
                            "deadline",
                            "hint",
                            "membership",
                            "repair",
                            "replica",
                            "topology")),
            entry(
                    "consensus",
                    Set.of(
                            "cell",
                            "coordinator",
                            "deadline",
                            "hint",
                            "membership",
                            "quorum",
                            "replica",
                            "storage",
                            "topology")),
            entry(
                    "core",
                    Set.of(
                            "catchup",
                            "cell",
                            "clock",
                            "consensus",
                            "contract",
                            "control",
                            "coordinator",
                            "deadline",
                            "heartbeat",
                            "hint",
                            "membership",
                            "repair",
                            "replica",
                            "scrub",
                            "storage",
                            "topology",
                            "transfer",
                            "verification")),
            entry("http", Set.of("coordinator", "deadline", "frame")),
            entry(
                    "http.client",
                    Set.of(
                            "admission",
                            "cell",
                            "clock",
                            "consensus",
                            "coordinator",
                            "http",
                            "membership",
                            "quorum",
                            "replica",
                            "topology")),
            entry("http.peer", Set.of("frame", "http")));

    static final Set<String> PACKAGES = MAY_USE.keySet();

    private static final String[] PURE = {
        in("cell"),
        in("quorum"),
        in("deadline"),
        in("clock"),
        in("heartbeat"),
        in("hint"),
        in("verification"),
        in("copy"),
        in("repair"),
        in("catchup"),
        in("scrub"),
        in("transfer"),
        in("coordinator"),
        in("consensus"),
        in("membership"),
        in("control"),
        in("core")
    };

    private static final JavaClasses NODE = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(ROOT);

    private static String in(String name) {
        return switch (name) {
            case "boot" -> ROOT + ".boot..";
            case "topology" -> "dev.kvorum.topology..";
            case "contract" -> "dev.kvorum.control.."; // The control interface, which its clients share.
            default -> ROOT + "." + name;
        };
    }

    @ParameterizedTest(name = "{0}")
    @FieldSource("PACKAGES")
    void packageUsesOnlyWhatItMay(String name) {
        String[] allowed = Stream.concat(Stream.of(name, "config"), MAY_USE.getOrDefault(name, Set.of()).stream())
                .map(ArchitectureTest::in)
                .toArray(String[]::new);

        noClasses()
                .that()
                .resideInAPackage(in(name))
                .should()
                .dependOnClassesThat(resideInAnyPackage("dev.kvorum..").and(not(resideInAnyPackage(allowed))))
                .check(NODE);
    }

    @Test
    void everyPackageHasItsRowInTheTable() {
        Set<String> packages = NODE.stream()
                .map(JavaClass::getPackageName)
                .map(name -> name.substring(Math.min(name.length(), ROOT.length() + 1)))
                .collect(Collectors.toSet());

        assertThat(packages)
                .containsExactlyInAnyOrderElementsOf(
                        Stream.concat(PACKAGES.stream(), Stream.of("boot")).toList());
    }

    @Test
    void cellAndQuorumDependOnNothingOfOursNotEvenSettings() {
        for (String name : Set.of("cell", "quorum")) {
            classes()
                    .that()
                    .resideInAPackage(in(name))
                    .should()
                    .onlyDependOnClassesThat(resideInAnyPackage(in(name), "java..", "org.jspecify.."))
                    .check(NODE);
        }
    }

    @Test
    void nobodyImportsBoot() {
        noClasses()
                .that()
                .resideOutsideOfPackage(in("boot"))
                .should()
                .dependOnClassesThat()
                .resideInAPackage(in("boot"))
                .check(NODE);
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching(ROOT + ".(**)").should().beFreeOfCycles().check(NODE);
    }

    @Test
    void clientPortAndPeerPortDoNotKnowEachOther() {
        slices().matching(ROOT + ".http.(*)..").should().notDependOnEachOther().check(NODE);
    }

    @Test
    void onlyTheStoreInRocksDbKnowsRocksDb() {
        noClasses()
                .that()
                .resideOutsideOfPackage(in("storage.rocks"))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.rocksdb..")
                .check(NODE);
    }

    /** A size in the settings of the store is Spring's type: a plain value, which brings no Spring with it. */
    @Test
    void onlyTheEdgesKnowSpring() {
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        ROOT + ".http..", in("admission"), in("frame"), in("replica"), in("boot"), in("config"))
                .should()
                .dependOnClassesThat(
                        resideInAnyPackage("org.springframework..").and(not(JavaClass.Predicates.type(DataSize.class))))
                .check(NODE);
    }

    @Test
    void pureCodeTakesItsClockRandomnessAndSchedulerFromOutside() {
        noClasses()
                .that()
                .resideInAnyPackage(PURE)
                .should()
                .accessTargetWhere(sourceOfTimeChanceOrThreads())
                .check(NODE);
    }

    /** Those that connect to members are the edge: the simulation has others in their place. */
    @Test
    void replicasTakeTheirClockAndRandomnessFromOutside() {
        noClasses()
                .that()
                .resideInAPackage(in("replica"))
                .and()
                .haveSimpleNameNotStartingWith("PeerTransport")
                .and()
                .haveSimpleNameNotStartingWith("PeerInquiry")
                .and()
                .haveSimpleNameNotStartingWith("HostsFile")
                .should()
                .accessTargetWhere(sourceOfTimeChanceOrThreads())
                .check(NODE);
    }

    private static DescribedPredicate<JavaAccess<?>> sourceOfTimeChanceOrThreads() {
        return targetIs(
                "a source of time, chance or threads",
                target -> isOf(target, Schedulers.class)
                        || isOf(target, ThreadLocalRandom.class)
                        || isOf(target, SecureRandom.class)
                        || isOf(target, Random.class)
                        || isNamed(target, System.class, "currentTimeMillis|nanoTime")
                        || isNamed(target, Instant.class, "now")
                        || isNamed(target, Clock.class, "system.*|tick.*")
                        || isNamed(target, Thread.class, "sleep|start.*|of.*|<init>")
                        || isNamed(target, Math.class, "random")
                        || isNamed(target, UUID.class, "randomUUID"));
    }

    /** {@code Mono.delay(Duration)} and its like take Reactor's own scheduler where none is passed. */
    @Test
    void pureCodePassesASchedulerToEveryReactiveTimer() {
        noClasses()
                .that()
                .resideInAnyPackage(PURE)
                .should()
                .accessTargetWhere(
                        targetIs("a reactive timer without a scheduler", ArchitectureTest::isTimerWithoutScheduler))
                .check(NODE);
    }

    private static DescribedPredicate<JavaAccess<?>> targetIs(
            String what, java.util.function.Predicate<AccessTarget> predicate) {
        return describe("target is " + what, access -> predicate.test(access.getTarget()));
    }

    private static boolean isOf(AccessTarget target, Class<?> owner) {
        return target.getOwner().isEquivalentTo(owner);
    }

    private static boolean isNamed(AccessTarget target, Class<?> owner, String names) {
        return isOf(target, owner) && Pattern.matches(names, target.getName());
    }

    private static boolean isTimerWithoutScheduler(AccessTarget target) {
        if (!(target instanceof AccessTarget.CodeUnitAccessTarget called)
                || !target.getOwner().getPackageName().startsWith("reactor.core.publisher")) {
            return false;
        }
        var parameters = called.getRawParameterTypes();
        return parameters.stream().anyMatch(type -> type.isEquivalentTo(Duration.class))
                && parameters.stream().noneMatch(type -> type.isEquivalentTo(Scheduler.class));
    }

    @Test
    void everyClassAndPackageIsNamedAfterAConcept() {
        noClasses()
                .should()
                .haveNameMatching(".*(Utils?|Helpers?|Managers?|Impl)(\\$.*)?")
                .orShould()
                .resideInAnyPackage("..util..", "..utils..", "..common..", "..helper..", "..impl..", "..manager..")
                .check(NODE);
    }

    @Test
    void everyPackageSaysThatNullIsMarked() {
        assertThat(NODE.stream().map(JavaClass::getPackage).distinct())
                .isNotEmpty()
                .allSatisfy(javaPackage -> assertThat(javaPackage.isAnnotatedWith(NullMarked.class))
                        .isTrue());
    }

    /** An import that finds no class would let every rule pass. */
    @Test
    void rulesSeeTheClassesOfTheNode() {
        assertThat(Arrays.stream(PURE))
                .allSatisfy(name -> assertThat(NODE.containPackage(name)).isTrue());
        assertThat(NODE).hasSizeGreaterThan(50);
    }
}
