/** The token in a term that a client sent: `"en"`, `{token: "en", title: "English"}`; undefined for other values. */
export function tokenOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'object' && value !== null && 'token' in value && typeof value.token === 'string')
    return value.token;
  return undefined;
}
