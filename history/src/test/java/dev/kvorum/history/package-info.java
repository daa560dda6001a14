@NullMarked
package dev.kvorum.history;

import org.jspecify.annotations.NullMarked;
