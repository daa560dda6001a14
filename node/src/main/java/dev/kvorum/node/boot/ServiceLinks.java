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
    private static final String PORT = "_PORT";
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
        Set<String> found = new TreeSet<>();
        environment.forEach((name, value) -> {
            boolean isPort = name.endsWith(PORT) && services.contains(name.substring(0, name.length() - PORT.length()));
            // A port with another value is a setting: Kubernetes leaves what the container sets itself.
            if (links.matcher(name).matches()
                    && (!isPort || ADDRESS.matcher(value).matches())) {
                found.add(name);
            }
        });
        return found;
    }

    /** The environment without them. */
    static Map<String, String> removedFrom(Map<String, String> environment) {
        Map<String, String> rest = new TreeMap<>(environment);
        rest.keySet().removeAll(in(environment));
        return rest;
    }
}
