import { closeSync, openSync, writeSync } from 'node:fs';
import { isFileError } from '@canopy-server/site-reader';
import { BadRequest } from '#lib/errors';
import { REASON_NAMES, REASONS } from './import-reasons.ts';
import type { ImportProblem } from './import-report.ts';
import type { ImportSummary } from './import-summary.ts';

/** The lines of a report that are written at once, in characters. */
const BUFFER_LENGTH = 64 * 1024;

/** The file of a report: one document of JSON, with the lines first and the counts behind them. */
export interface ReportFile {
  write(problem: ImportProblem): void;
  /** Writes what is left and closes the file. Without a summary, after a failure, the document says that it is not complete. */
  close(summary?: ImportSummary): void;
}

const lineOf = (problem: ImportProblem): string =>
  JSON.stringify({ effect: REASONS[problem.reason].effect, ...problem });

/** The line behind the problems: numbers by kind and by reason, and the additions to types. */
function countsOf({ problems: _, reasons, ...summary }: ImportSummary): string {
  const counts = REASON_NAMES.flatMap((reason) =>
    reasons[reason] ? [{ reason, count: reasons[reason], ...REASONS[reason] }] : [],
  );
  return JSON.stringify({ complete: true, ...summary, reasons: counts }).slice(1);
}

/**
 * Creates the file of a report, or empties it. Its lines are written as they come: a report may be larger than memory.
 * @throws BadRequest when there can be no such file
 */
export function createReportFile(name: string): ReportFile {
  const file = openReport(name);
  let buffer = '{"lines":[';
  let separator = '\n';
  const flush = () => {
    writeSync(file, buffer);
    buffer = '';
  };
  return {
    write(problem) {
      buffer += `${separator}${lineOf(problem)}`;
      separator = ',\n';
      if (buffer.length >= BUFFER_LENGTH) flush();
    },
    close(summary) {
      buffer += `\n],\n${summary ? countsOf(summary) : '"complete":false}'}\n`;
      flush();
      closeSync(file);
    },
  };
}

function openReport(name: string): number {
  try {
    return openSync(name, 'w');
  } catch (error) {
    if (isFileError(error)) throw new BadRequest(`The report cannot be written: ${error.message}`);
    throw error;
  }
}
