@NullMarked
package dev.kvorum.load.scenario;

import org.jspecify.annotations.NullMarked;
