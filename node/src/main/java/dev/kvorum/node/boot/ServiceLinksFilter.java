package dev.kvorum.node.boot;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.commons.logging.Log;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.logging.DeferredLogFactory;
import org.springframework.core.Ordered;
import org.springframework.core.SpringProperties;
import org.springframework.core.env.AbstractEnvironment;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** Keeps {@link ServiceLinks} out of the settings, and logs those that could be taken for one. Runs before any setting is read. */
final class ServiceLinksFilter implements EnvironmentPostProcessor, Ordered {
    /** How the variables of settings begin. */
    private static final List<String> SETTINGS = List.of("KVORUM_", "SERVER_", "MANAGEMENT_", "LOGGING_", "SPRING_");

    /** Spring Boot reads capitals as names of settings in sources that are called so. */
    private static final String NAME = "filtered-systemEnvironment";

    private final Log log;

    /** @param logs keep what is logged until the node's logging is set up */
    ServiceLinksFilter(DeferredLogFactory logs) {
        this.log = logs.getLog(ServiceLinksFilter.class);
    }

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    @Override
    public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
        Map<String, String> variables = System.getenv();
        Set<String> links = ServiceLinks.in(variables);
        links.removeIf(name -> SETTINGS.stream().noneMatch(name::startsWith));
        if (links.isEmpty()) {
            return;
        }
        Map<String, Object> settings = new HashMap<>(variables);
        settings.keySet().removeAll(links);
        environment
                .getPropertySources()
                .replace(
                        StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                        new SystemEnvironmentPropertySource(NAME, settings));
        // The management port has an environment of its own: it would read the variables again, before the options. Now
        // it takes those above.
        SpringProperties.setFlag(AbstractEnvironment.IGNORE_GETENV_PROPERTY_NAME);
        links.stream()
                .filter(name -> name.endsWith("_PORT")
                        && variables.getOrDefault(name, "").contains("://"))
                .forEach(name -> log.warn("The environment variable " + name + "=" + variables.get(name)
                        + " is ignored, with all others of that service: it is no setting of this node"));
    }
}
