const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'];

/** A number of bytes for people, in steps of 1024 and without decimals, such as `10 MB` (as PostgreSQL writes sizes). */
export function sizeText(bytes: number): string {
  let size = bytes;
  let unit = 0;
  // A size in the unit below says more as long as it has four digits.
  while (size >= 10_240 && unit < UNITS.length - 1) {
    size /= 1024;
    unit += 1;
  }
  return `${Math.round(size)} ${UNITS[unit]}`;
}
