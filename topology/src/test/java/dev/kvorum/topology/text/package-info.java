@NullMarked
package dev.kvorum.topology.text;

import org.jspecify.annotations.NullMarked;
