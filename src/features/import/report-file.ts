import { closeSync, openSync, writeSync } from 'node:fs';
import { BadRequest } from '../../lib/errors.ts';
import { isFileError } from './export-folder.ts';
import type { ImportProblem } from './import-report.ts';

/** The lines of a report that are written at once, in characters. */
const BUFFER_LENGTH = 64 * 1024;

/** The file of a report, which has one problem a line, as JSON. */
export interface ReportFile {
  write(problem: ImportProblem): void;
  /** Writes what is left and closes the file. */
  close(): void;
}

/**
 * Creates the file of a report, or empties it. Its lines are written as they come: a report may be larger than memory.
 * @throws BadRequest when there can be no such file
 */
export function createReportFile(name: string): ReportFile {
  const file = openReport(name);
  let buffer = '';
  const flush = () => {
    writeSync(file, buffer);
    buffer = '';
  };
  return {
    write(problem) {
      buffer += `${JSON.stringify(problem)}\n`;
      if (buffer.length >= BUFFER_LENGTH) flush();
    },
    close() {
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
