package dev.kvorum.node.boot;

import dev.kvorum.node.command.Commands;

/**
 * Where the jar begins: a command, if the first word is no option, or else a node.
 *
 * <pre>
 * java -jar kvorum-node.jar --kvorum.node-id=n1 ...      starts a node
 * java -jar kvorum-node.jar status --peer=URL            a command; none of the node is started for it
 * </pre>
 */
public final class Launcher {
    private Launcher() {}

    public static void main(String[] arguments) {
        if (Commands.isGiven(arguments)) {
            System.exit(Commands.run(arguments, System.out, System.err));
        }
        KvorumNode.main(arguments);
    }
}
