/** The operator as a process. */
package dev.kvorum.operator;
