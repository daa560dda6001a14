@NullMarked
package dev.kvorum.load.report;

import org.jspecify.annotations.NullMarked;
