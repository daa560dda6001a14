/** The generated definition. */
package dev.kvorum.operator.definition;
