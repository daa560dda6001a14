package dev.kvorum.node.command;

import java.net.URI;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Which cluster a command is about: management ports of its members, of which one that answers is asked. */
final class ClusterOptions {
    @Option(
            names = "--node",
            required = true,
            paramLabel = "URL",
            converter = Address.class,
            description =
                    "Management port of any member, as http://127.0.0.1:8081. Give several: a command asks the next one"
                            + " when one does not answer.")
    private List<URI> nodes = List.of();

    List<URI> nodes() {
        return nodes;
    }

    /** Accepts {@code http://host:port}. */
    static final class Address implements ITypeConverter<URI> {
        @Override
        public URI convert(String value) {
            try {
                URI address = URI.create(value);
                if ("http".equals(address.getScheme()) && address.getHost() != null && address.getPort() > 0) {
                    return address;
                }
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException("\"" + value + "\" is not an address: " + e.getMessage());
            }
            throw new TypeConversionException("\"" + value + "\" is not an address like http://10.0.0.7:8081");
        }
    }
}
