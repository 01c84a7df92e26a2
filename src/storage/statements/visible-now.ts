/** Whether someone whose tokens are the parameter `principals` may view what a row of the catalog is about. */
export const VIEWABLE = (principals: string, catalog = 'k') => `${catalog}.allowed && ${principals}::text[]`;

/** Whether the content `c` is between its dates of publication. */
export const IN_TIME = `coalesce(c.effective, '-infinity') <= now() and coalesce(c.expires, 'infinity') > now()`;

/**
 * Whether a list shows the content `c` with its row `k` of the catalog: who asks may view it, and it is between its dates, unless
 * the boolean parameter `inactive` lifts that.
 */
export const VISIBLE_NOW = (principals: string, inactive?: string) =>
  `${VIEWABLE(principals)} and ${inactive === undefined ? IN_TIME : `(${inactive} or (${IN_TIME}))`}`;
