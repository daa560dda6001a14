/** What the operator asks of nodes. */
package dev.kvorum.operator.node;
