@NullMarked
package dev.kvorum.node.control;

import org.jspecify.annotations.NullMarked;
