@NullMarked
package dev.kvorum.node.command;

import org.jspecify.annotations.NullMarked;
