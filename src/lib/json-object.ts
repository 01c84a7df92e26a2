/** An object of JSON, as bodies and answers are made of. */
export type JsonObject = Record<string, unknown>;

/** Whether a value is a JSON object (no array, no null). */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
