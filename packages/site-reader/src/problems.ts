/**
 * Reasons why a part of an export is not read as it was written:
 *
 * - `object`: an object cannot be placed
 * - `unreadable`: a file, or a part of one, cannot be read
 * - `unexported`: the old site could not export an object
 * - `value`: a value is left out
 * - `file`: a file is not in the export
 * - `target`: a reference leads to nothing
 * - `principal`: a user or a group has no id
 * - `password`: a password is no hash of a known form
 * - `unsupported`: the model has no place for something
 * - `changed`, `renamed`: a value, an id or an address is another one than in the export
 * - `link`: a link leads to nothing in the export
 * - `container`: a container is missing around its content
 * - `system`: the old server noted it for its own use
 */
export type ProblemReason =
  | 'object'
  | 'unreadable'
  | 'unexported'
  | 'value'
  | 'file'
  | 'target'
  | 'principal'
  | 'password'
  | 'unsupported'
  | 'changed'
  | 'renamed'
  | 'link'
  | 'container'
  | 'system';

/**
 * A part of an export that is not read as it was written. `file` is relative to the export, `path` is that of the content, and `key` the
 * name of its field or setting, each as exported.
 */
export type ExportProblem = {
  reason: ProblemReason;
  message: string;
  file?: string | null;
  path?: string | null;
  key?: string;
};

/** Takes the problems of an export. */
export interface ProblemLog {
  /** Takes one problem. The same one may come again, because parts of an export are read twice. */
  add(problem: ExportProblem): void;
  /** Takes a problem that many objects can have: a summary has it once. */
  note(problem: ExportProblem): void;
}

/** The export cannot be read at all. The message says what to do. Programs recognise it by its name: they may have another copy of this class. */
export class ExportError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ExportError';
  }
}
