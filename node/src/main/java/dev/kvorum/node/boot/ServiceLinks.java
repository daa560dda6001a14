package dev.kvorum.node.boot;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The variables that Kubernetes and Docker add for each service near a container. A service called {@code server} gives {@code SERVER_PORT} the value
 * {@code tcp://10.0.0.1:80}, which Spring would take for the setting {@code server.port}.
 *
 * <p>A service is known by a variable {@code NAME_PORT}, or {@code NAME_PORT_80_TCP}, whose value is such an address. All variables of that service are
 * links, and no others: a {@code SERVER_PORT=8080} stays a setting.
 *
 * <p>Source: Kubernetes, "Accessing the Service", environment variables; Docker, "Legacy container links".
 */
final class ServiceLinks {
    private static final Pattern ADDRESS = Pattern.compile("(tcp|udp|sctp)://\\S+");
    private static final Pattern OF_PORT = Pattern.compile("(\\w+?)_PORT(_\\d+_(TCP|UDP|SCTP))?");
    private static final Pattern OF_NUMBERED_PORT = Pattern.compile("\\w+_PORT_\\d+_(TCP|UDP|SCTP)_PORT");
    private static final String REST =
            "_(SERVICE_HOST|SERVICE_PORT(_\\w+)?|PORT(_\\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?)";

    private ServiceLinks() {}

    /** The names of those variables that are links, in order. */
    static Set<String> in(Map<String, String> environment) {
        Set<String> services = new TreeSet<>();
        environment.forEach((name, value) -> {
            Matcher port = OF_PORT.matcher(name);
            if (port.matches() && ADDRESS.matcher(value).matches()) {
                services.add(port.group(1));
            }
        });
        if (services.isEmpty()) {
            return services;
        }
        Pattern links = Pattern.compile(
                services.stream().map(Pattern::quote).collect(Collectors.joining("|", "(", ")")) + REST);
        return environment.entrySet().stream()
                .filter(variable -> links.matcher(variable.getKey()).matches()
                        && !isSetting(variable.getKey(), variable.getValue()))
                .map(Map.Entry::getKey)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Whether a person gave the port another value than that of the service: Kubernetes leaves it then. */
    private static boolean isSetting(String name, String value) {
        return name.endsWith("_PORT")
                && !name.endsWith("_SERVICE_PORT")
                && !OF_NUMBERED_PORT.matcher(name).matches()
                && !ADDRESS.matcher(value).matches();
    }

    /** The environment without them. */
    static Map<String, String> removedFrom(Map<String, String> environment) {
        Map<String, String> rest = new TreeMap<>(environment);
        rest.keySet().removeAll(in(environment));
        return rest;
    }
}
