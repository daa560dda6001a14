/**
 * Makes the definition of the resource from its classes, while the project is built.
 *
 * <ul>
 *   <li>{@link dev.kvorum.operator.definition.WriteDefinition}: writes it.
 *   <li>{@link dev.kvorum.operator.definition.SchemaDetails}: what annotations can't say.
 * </ul>
 */
@NullMarked
package dev.kvorum.operator.definition;

import org.jspecify.annotations.NullMarked;
