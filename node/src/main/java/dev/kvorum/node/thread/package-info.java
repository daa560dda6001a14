/**
 * What the operating system is asked for the threads of requests: {@link dev.kvorum.node.thread.TimeSlice}, by {@link
 * dev.kvorum.node.thread.SchedulingCalls}; and for its files: {@link dev.kvorum.node.thread.FileMask}. The only package that calls functions of the system.
 */
@NullMarked
package dev.kvorum.node.thread;

import org.jspecify.annotations.NullMarked;
