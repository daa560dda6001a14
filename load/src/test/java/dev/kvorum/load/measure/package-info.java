@NullMarked
package dev.kvorum.load.measure;

import org.jspecify.annotations.NullMarked;
