/**
 * {@link dev.kvorum.operator.definition.WriteDefinition} makes the definition of the resource from its classes, while the project is built.
 */
@NullMarked
package dev.kvorum.operator.definition;

import org.jspecify.annotations.NullMarked;
