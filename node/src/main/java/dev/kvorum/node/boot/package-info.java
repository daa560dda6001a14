/**
 * The node as a program: its servers, settings and metrics around the {@linkplain dev.kvorum.node.core core}, and how it starts and stops. No package imports it.
 *
 * <ul>
 *   <li>{@link dev.kvorum.node.boot.Launcher}: the main class: a command, or a node.
 *   <li>{@link dev.kvorum.node.boot.KvorumNode}: a node.
 *   <li>{@link dev.kvorum.node.boot.ServiceLinks}: variables that tell of services near a container; {@link
 *       dev.kvorum.node.boot.ServiceLinksFilter} keeps them out of the settings.
 *   <li>{@link dev.kvorum.node.boot.ClusterWiring}: topology file, membership, data directory and store; {@link dev.kvorum.node.boot.PeerWitnesses} asks other members
 *       before the node has opened its ports.
 *   <li>{@link dev.kvorum.node.boot.CoreWiring}: the ports of the {@linkplain dev.kvorum.node.core.NodeCore core}, and the core; {@link
 *       dev.kvorum.node.boot.DataLifecycle} lets it repair and move data.
 *   <li>{@link dev.kvorum.node.boot.RequestWiring}: what clients' requests meet before it.
 *   <li>{@link dev.kvorum.node.boot.ControlWiring}: the endpoints of the management port: {@link dev.kvorum.node.boot.TopologyEndpoint}, {@link
 *       dev.kvorum.node.boot.MemberEndpoint}, {@link dev.kvorum.node.boot.ClusterEndpoint} and {@link dev.kvorum.node.boot.RepairEndpoint}.
 *   <li>{@link dev.kvorum.node.boot.PortWiring}: the limits of the three ports.
 *   <li>{@link dev.kvorum.node.boot.ServerWiring}: event loops, the client port, the peers' port.
 *   <li>{@link dev.kvorum.node.boot.ManagementPortWiring}: guards the management port.
 *   <li>{@link dev.kvorum.node.boot.EventLoops}: which of them calls.
 *   <li>{@link dev.kvorum.node.boot.BodyBudgets}: memory for bodies, of each port its own.
 *   <li>{@link dev.kvorum.node.boot.DeadlineThread}: the thread that sweeps the deadlines of requests.
 *   <li>{@link dev.kvorum.node.boot.LoadWatch}: looks at the load of the machine, for reads and repair, which adapt to it.
 *   <li>{@link dev.kvorum.node.boot.PeerPortLifecycle}: the peers' port opens before the client port and closes after it.
 *   <li>{@link dev.kvorum.node.boot.Rehearsal}: then this node reaches the members that are up, before it serves clients.
 *   <li>{@link dev.kvorum.node.boot.ClientsLifecycle}: a node that stops first refuses clients that connect, and then finishes the requests it has.
 *   <li>{@link dev.kvorum.node.boot.ManagementRequests}: the filter of the management port, and its problem documents.
 *   <li>{@link dev.kvorum.node.boot.LogLines}: escapes control characters in plain-text logs, with {@link dev.kvorum.node.boot.EscapedMessage} and {@link dev.kvorum.node.boot.EscapedThrowable}.
 *   <li>{@link dev.kvorum.node.boot.MemberHealth}: whether this node is a member that can serve.
 *   <li>{@link dev.kvorum.node.boot.NodeEnd}: ends a node that can't go on.
 *   <li>{@link dev.kvorum.node.boot.RefusedStartAnalyzer}: a start that is refused ends with the reason and the remedy, not a stack trace.
 *   <li>{@link dev.kvorum.node.boot.RefusalReporter}: says both on standard error, in one line.
 *   <li>{@link dev.kvorum.node.boot.ReadinessProbe}: the health check of the image, a program of its own.
 *   <li>{@link dev.kvorum.node.boot.ControlRefusals}: refusals of the control interface.
 *   <li>{@link dev.kvorum.node.boot.Ids}: ids of members in one parameter of a request.
 *   <li>{@link dev.kvorum.node.boot.Inquiries}: begins inquiries among other nodes.
 *   <li>{@link dev.kvorum.node.boot.RocksGround}: the directory and RocksDB, as a start meets them. {@link dev.kvorum.node.boot.ScrubEndpoint}: the scrub on the management port.
 * </ul>
 */
@NullMarked
package dev.kvorum.node.boot;

import org.jspecify.annotations.NullMarked;
