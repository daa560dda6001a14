@NullMarked
package dev.kvorum.topology;

import org.jspecify.annotations.NullMarked;
