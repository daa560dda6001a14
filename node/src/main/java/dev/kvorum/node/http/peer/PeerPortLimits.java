package dev.kvorum.node.http.peer;

import dev.kvorum.node.http.AnswerLimits;
import dev.kvorum.node.http.PortLimits;

/**
 * What bounds the connections to the peers' port.
 *
 * @param port as of every port; the time for a head is also that for the first bytes of a connection, which tell what it speaks
 * @param answers of answers over HTTP
 */
public record PeerPortLimits(PortLimits port, AnswerLimits answers) {}
