@NullMarked
package dev.kvorum.history.check;

import org.jspecify.annotations.NullMarked;
