package dev.kvorum.node.http.peer;

import dev.kvorum.node.http.AnswerLimits;
import dev.kvorum.node.http.ConnectionLimit;
import io.netty.channel.Channel;
import java.time.Duration;
import java.util.function.Predicate;

/**
 * What bounds the connections to the peers' port, whatever they speak.
 *
 * @param connections lets a connection in, or closes it: as {@link ConnectionLimit#admit}
 * @param headMax how long the head of an HTTP request may take to arrive, and the first bytes of any connection, which tell what it speaks
 * @param answers of answers over HTTP
 */
public record PeerPortLimits(Predicate<Channel> connections, Duration headMax, AnswerLimits answers) {}
