/** Resources of other versions. */
package dev.kvorum.operator.reading;
