@NullMarked
package dev.kvorum.load.generate;

import org.jspecify.annotations.NullMarked;
