package dev.kvorum.operator.reconciler;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EventsTest {
    @ParameterizedTest
    @CsvSource({
        "Scaling, True, Preparing, True, Transferring, false",
        "Scaling, True, Waiting, True, AwaitingApproval, true",
        "Scaling, False, Settled, True, Preparing, true",
        "Scaling, False, Settled, False, KeptVolumes, true",
        "Ready, False, Preparing, False, Transferring, false",
        "Ready, False, Preparing, True, AsAsked, true",
        "Degraded, True, MemberDown, True, PodTrouble, true",
        "Degraded, True, MemberDown, True, MemberDown, false"
    })
    void stepsOfAChangeAreToldOnceAndTroubleEachTime(
            String type, String status, String reason, String nextStatus, String nextReason, boolean isNews) {
        assertThat(Events.isNews(condition(type, status, reason), condition(type, nextStatus, nextReason)))
                .isEqualTo(isNews);
        assertThat(Events.isNews(null, condition(type, nextStatus, nextReason))).isTrue();
    }

    private static Condition condition(String type, String status, String reason) {
        return new ConditionBuilder()
                .withType(type)
                .withStatus(status)
                .withReason(reason)
                .build();
    }
}
