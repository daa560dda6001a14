@NullMarked
package dev.kvorum.load.run;

import org.jspecify.annotations.NullMarked;
