/**
 * What remains of a run: for people, for scripts, and for HdrHistogram's own tools.
 *
 * <ul>
 *   <li>{@link dev.kvorum.load.report.Conclusion}: medians, verdicts and failures.
 *   <li>{@link dev.kvorum.load.report.RunNote}: when, where and how.
 *   <li>{@link dev.kvorum.load.report.ResultFolder}: the files of a run.
 *   <li>{@link dev.kvorum.load.report.SummaryJson}: everything in one document.
 *   <li>{@link dev.kvorum.load.report.RoundJson}: one round in it.
 *   <li>{@link dev.kvorum.load.report.Described}: plans in words.
 *   <li>{@link dev.kvorum.load.report.HistogramLog}: the raw histograms.
 *   <li>{@link dev.kvorum.load.report.ReportPage}: the page.
 *   <li>{@link dev.kvorum.load.report.Comparison}: the same of two runs side by side.
 *   <li>{@link dev.kvorum.load.report.LatencyPicture}: its curves as a picture.
 *   <li>{@link dev.kvorum.load.report.ResultTable}: the table on the terminal.
 *   <li>{@link dev.kvorum.load.report.Terminal}: progress.
 * </ul>
 */
@NullMarked
package dev.kvorum.load.report;

import org.jspecify.annotations.NullMarked;
