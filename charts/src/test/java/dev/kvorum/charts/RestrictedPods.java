package dev.kvorum.charts;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

/** What Kubernetes' pod security profile "restricted" asks for, and a read-only file system and limits beyond it. */
final class RestrictedPods {
    private RestrictedPods() {}

    static void assertRestricted(Manifest podSpec) {
        assertThat(podSpec.at("securityContext", "runAsNonRoot")).isEqualTo(true);
        assertThat(podSpec.at("securityContext", "seccompProfile", "type")).isEqualTo("RuntimeDefault");
        assertThat(podSpec.at("hostNetwork")).isNull();
        List<Manifest> containers = podSpec.parts("containers");
        assertThat(containers).isNotEmpty().allSatisfy(container -> {
            assertThat(container.at("securityContext", "allowPrivilegeEscalation"))
                    .isEqualTo(false);
            assertThat(container.at("securityContext", "readOnlyRootFilesystem"))
                    .isEqualTo(true);
            assertThat(container.at("securityContext", "capabilities", "drop")).isEqualTo(List.of("ALL"));
            assertThat(container.at("resources", "limits", "memory")).isNotNull();
        });
    }
}
