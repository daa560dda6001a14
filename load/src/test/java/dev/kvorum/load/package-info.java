@NullMarked
package dev.kvorum.load;

import org.jspecify.annotations.NullMarked;
