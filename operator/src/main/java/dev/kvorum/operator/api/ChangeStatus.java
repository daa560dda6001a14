package dev.kvorum.operator.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;

/** A change of the members: what it is, what it moves and how far it is. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record ChangeStatus(
        @JsonPropertyDescription("Names this plan; the annotation kvorum.dev/approve-scaling approves it by that.")
        String plan,

        @JsonPropertyDescription(
                "Refused, Waiting, AwaitingApproval, Preparing, Beginning, Transferring, Switching, Finishing or Cancelling.")
        String step,

        @JsonPropertyDescription("Members that join.") List<String> joining,

        @JsonPropertyDescription("Members that leave.") List<String> leaving,

        @JsonPropertyDescription("The data that moves.") TransferStatus transfer,

        @JsonPropertyDescription("What it waits for, in a sentence.")
        String message) {}
