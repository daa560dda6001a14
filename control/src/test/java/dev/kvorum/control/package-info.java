@NullMarked
package dev.kvorum.control;

import org.jspecify.annotations.NullMarked;
