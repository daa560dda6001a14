/** The settings and their reference. */
@NullMarked
package dev.kvorum.node.config;

import org.jspecify.annotations.NullMarked;
