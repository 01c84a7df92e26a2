/** The values of a statement that is put together: whatever comes from a client goes here, never into the text. */
export class SqlParameters {
  readonly values: unknown[] = [];

  /** Adds a value and answers its place in the text, such as `$3`. */
  add(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }
}
