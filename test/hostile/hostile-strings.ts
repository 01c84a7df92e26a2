/** Texts that often break parsers, databases, addresses and templates. */
export const HOSTILE_STRINGS: readonly [string, ...string[]] = [
  '',
  ' ',
  '\u0000',
  'before\u0000after',
  '\ud800',
  'x\udfff\ud800y',
  '\u202Eevil\u202C',
  '\u200B\u200D\uFEFF',
  'e\u0301'.repeat(500),
  '\u{1F469}\u200D\u{1F469}\u200D\u{1F467}'.repeat(50),
  "'; drop table content; --",
  "' or '1'='1",
  '") or 1=1 --',
  '$1 $2 \\$3',
  '%s%n%x',
  '%_\\%',
  '<script>alert(1)</script>',
  '"><svg onload=alert(1)>',
  '{{constructor.constructor("return process")()}}',
  ['$', '{7*7}'].join(''),
  '../../../../etc/passwd',
  '..\\..\\windows',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'a\r\nX-Injected: yes',
  '\t\n\r\v\f\b',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'NaN',
  '(((((((((((((((((((((((((((((',
  'a & | ! <-> b:*',
  '"never closed',
  '*',
  '-',
  'a'.repeat(10_000),
  '\uffff\ufffe',
];

/** `depth` nested empty arrays as text, because serializing such a value would overflow the stack. */
export function deepArray(depth: number): string {
  return '['.repeat(depth) + ']'.repeat(depth);
}

/** `depth` nested objects as text. */
export function deepObject(depth: number): string {
  return `${'{"a":'.repeat(depth)}null${'}'.repeat(depth)}`;
}
