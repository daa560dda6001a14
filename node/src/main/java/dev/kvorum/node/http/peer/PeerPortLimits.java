package dev.kvorum.node.http.peer;

import dev.kvorum.node.http.ByteBudget;
import dev.kvorum.node.http.ConnectionLimit;
import io.netty.channel.Channel;
import java.time.Duration;
import java.util.function.Predicate;

/**
 * What bounds the connections to the peers' port, whatever they speak.
 *
 * @param connections lets a connection in, or closes it: as {@link ConnectionLimit#admit}
 * @param headMax how long the head of an HTTP request may take to arrive, and the first bytes of any connection, which tell what it speaks
 * @param bodies memory for answers over HTTP that the callers have not taken yet
 * @param answerMax how long a caller may take for one of them, over HTTP
 */
public record PeerPortLimits(Predicate<Channel> connections, Duration headMax, ByteBudget bodies, Duration answerMax) {}
