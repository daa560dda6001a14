@NullMarked
package dev.kvorum.load.cluster;

import org.jspecify.annotations.NullMarked;
