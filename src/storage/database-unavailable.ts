/**
 * The database cannot be reached or used. The message is one line for the operator and never
 * holds a password; `cause` is what the driver threw.
 */
export class DatabaseUnavailable extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'DatabaseUnavailable';
  }
}
