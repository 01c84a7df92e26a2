/**
 * Locks rows of a `select` until the end of the transaction, without those that another transaction has locked. With a `limit` of 1 it
 * takes the next piece of work, for a lease that an `update` writes or for a transaction; with a larger one it takes a batch that
 * is pruned beside others. `of` is the alias of the table where there are several.
 */
export const UNCLAIMED = (
  select: string,
  { of, mode = 'update' }: { of?: string; mode?: 'update' | 'share' } = {},
): string => `${select} for ${mode}${of === undefined ? '' : ` of ${of}`} skip locked`;
