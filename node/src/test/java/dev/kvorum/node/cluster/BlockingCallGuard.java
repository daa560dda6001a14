package dev.kvorum.node.cluster;

import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;
import reactor.blockhound.BlockHound;

/** Every test runs with blocking calls on event loops forbidden. */
public final class BlockingCallGuard implements LauncherSessionListener {
    @Override
    public void launcherSessionOpened(LauncherSession session) {
        BlockHound.install();
    }
}
