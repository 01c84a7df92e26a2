/**
 * How often a property is checked: `quick` times, and `thorough` times with TEST_SLOW, as every night. For properties of which one check
 * takes seconds.
 */
export const propertyRuns = (quick: number, thorough: number): number =>
  process.env.TEST_SLOW === undefined ? quick : thorough;
