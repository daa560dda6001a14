@NullMarked
package dev.kvorum.load.figure;

import org.jspecify.annotations.NullMarked;
