/**
 * What callers of a store saw through its lives, and whether it kept its promises: {@link dev.kvorum.node.storage.history.StoreHistory} is the record,
 * {@link dev.kvorum.node.storage.history.StoreVerdict} judges it: each key by {@link dev.kvorum.node.storage.history.KeyCheck}, the hints by
 * {@link dev.kvorum.node.storage.history.HintCheck}, and all of it together by {@link dev.kvorum.node.storage.history.Cut}.
 */
@NullMarked
package dev.kvorum.node.storage.history;

import org.jspecify.annotations.NullMarked;
