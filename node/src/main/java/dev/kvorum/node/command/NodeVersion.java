package dev.kvorum.node.command;

import picocli.CommandLine.IVersionProvider;

/** The version that the manifest of the jar names. */
final class NodeVersion implements IVersionProvider {
    @Override
    public String[] getVersion() {
        String version = NodeVersion.class.getPackage().getImplementationVersion();
        return new String[] {"Kvorum " + (version == null ? "(not from a jar)" : version)};
    }
}
