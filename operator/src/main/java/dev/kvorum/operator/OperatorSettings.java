package dev.kvorum.operator;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the operator is told by its environment.
 *
 * @param namespaces in which it looks after clusters; empty for all
 * @param home its own namespace, from which it asks nodes; empty where it runs outside of Kubernetes
 * @param lease where and as whom it stands for election; empty where it runs alone
 * @param managementPort where its health is asked for, 0 to 65535; 0 takes a free one
 */
public record OperatorSettings(
        Set<String> namespaces, Optional<String> home, Optional<Lease> lease, int managementPort) {
    private static final Logger LOG = LoggerFactory.getLogger(OperatorSettings.class);
    private static final String PREFIX = "KVORUM_OPERATOR_";
    private static final Pattern SERVICE_ADDRESS = Pattern.compile("(tcp|udp|sctp)://\\S+");
    private static final int MANAGEMENT_PORT = 8081;
    private static final int PORT_MAX = 65535;

    /**
     * The lease whose holder acts.
     *
     * @param identity of this process among those that stand for election
     */
    public record Lease(String name, String namespace, String identity) {}

    /** @throws IllegalArgumentException if a variable can't be used; the message names it */
    static OperatorSettings of(Map<String, String> variables) {
        Map<String, String> environment = new HashMap<>(variables);
        environment.entrySet().removeIf(OperatorSettings::isServiceLink);
        Set<String> namespaces = Arrays.stream(environment
                        .getOrDefault("KVORUM_OPERATOR_WATCH_NAMESPACES", "")
                        .split(",", -1))
                .map(String::strip)
                .filter(namespace -> !namespace.isEmpty())
                .collect(Collectors.toUnmodifiableSet());
        Optional<String> home = Optional.of(environment.getOrDefault("KVORUM_OPERATOR_NAMESPACE", ""))
                .filter(namespace -> !namespace.isBlank());
        return new OperatorSettings(namespaces, home, lease(environment), port(environment));
    }

    /**
     * Kubernetes tells a container of the services in its namespace: of one called {@code kvorum-operator-management} by {@code
     * KVORUM_OPERATOR_MANAGEMENT_PORT=tcp://10.0.0.1:80}, which is no setting.
     */
    private static boolean isServiceLink(Map.Entry<String, String> variable) {
        boolean link = variable.getKey().startsWith(PREFIX)
                && SERVICE_ADDRESS.matcher(variable.getValue()).matches();
        if (link) {
            LOG.warn(
                    "The environment variable {}={} is ignored: it tells of a service of that name, and is no setting of the operator",
                    variable.getKey(),
                    variable.getValue());
        }
        return link;
    }

    private static Optional<Lease> lease(Map<String, String> environment) {
        String name = environment.getOrDefault("KVORUM_OPERATOR_LEASE", "");
        if (name.isBlank()) {
            return Optional.empty();
        }
        return Optional.of(new Lease(
                name,
                required(environment, "KVORUM_OPERATOR_NAMESPACE"),
                required(environment, "KVORUM_OPERATOR_POD")));
    }

    private static String required(Map<String, String> environment, String variable) {
        String value = environment.getOrDefault(variable, "");
        if (value.isBlank()) {
            throw new IllegalArgumentException(variable
                    + " is not set: with KVORUM_OPERATOR_LEASE it must be the operator's own namespace or pod");
        }
        return value;
    }

    private static int port(Map<String, String> environment) {
        String value = environment.getOrDefault("KVORUM_OPERATOR_MANAGEMENT_PORT", "" + MANAGEMENT_PORT);
        try {
            int port = Integer.parseInt(value);
            if (port >= 0 && port <= PORT_MAX) {
                return port;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(portRefusal(value), e);
        }
        throw new IllegalArgumentException(portRefusal(value));
    }

    private static String portRefusal(String value) {
        return "KVORUM_OPERATOR_MANAGEMENT_PORT is \"" + value + "\", but must be a port from 0 to " + PORT_MAX;
    }
}
