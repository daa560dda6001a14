@NullMarked
package dev.kvorum.load.crowd;

import org.jspecify.annotations.NullMarked;
