package dev.kvorum.simulation.node;

import dev.kvorum.simulation.disk.DiskWeather;
import dev.kvorum.simulation.network.Network;
import dev.kvorum.simulation.world.Bugs;
import dev.kvorum.simulation.world.Timeline;
import dev.kvorum.simulation.world.Trace;

/** What machines are made in. */
public record World(Timeline timeline, Network network, DiskWeather disks, Trace trace, Bugs bugs) {}
