/**
 * How often a property is checked, or how many rounds a test has: `quick`, and `thorough` with TEST_SLOW, as every night. For what takes
 * seconds each time.
 */
export const propertyRuns = (quick: number, thorough: number): number =>
  process.env.TEST_SLOW === undefined ? quick : thorough;
