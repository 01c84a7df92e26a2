import { IN_TIME, inTime } from './fragments.ts';

/** The alias of a row of the catalog, and the alias of its content if the statement has it. */
type Aliases = { catalog: string; content?: string };

/**
 * The rule by which statements of a site select viewable content: by the tokens in the catalog, and by dates of publication if these hide content. A
 * rule comes only from the setting of a site, and the condition only from a rule, so that no statement can leave out the dates.
 */
export class ViewRule {
  static readonly #byTokens = new ViewRule(false);
  static readonly #byDates = new ViewRule(true);
  readonly #datesHide: boolean;

  private constructor(datesHide: boolean) {
    this.#datesHide = datesHide;
  }

  /** The rule of sites on which dates of publication hide content, or the rule of other sites. */
  static of(datesHide: boolean): ViewRule {
    return datesHide ? ViewRule.#byDates : ViewRule.#byTokens;
  }

  /**
   * The condition that viewers with the tokens of the parameter `principals` may view the object of a row of the catalog. Outside of its dates they
   * also need a token of `inactive_allowed`. If the statement does not have the content, the condition looks up its dates.
   */
  viewable(principals: string, { catalog, content }: Aliases = { catalog: 'k', content: 'c' }): string {
    const allowed = `${catalog}.allowed && ${principals}::text[]`;
    if (!this.#datesHide) return allowed;
    const isInTime =
      content === undefined
        ? `exists (select from content dated where dated.oid = ${catalog}.oid and ${inTime('dated')})`
        : inTime(content);
    return `(${allowed} and (${isInTime} or ${catalog}.inactive_allowed && ${principals}::text[]))`;
  }

  /** The tokens of the present viewers of the content `c` with its row `k` of the catalog, as the column `viewers`. */
  get viewers(): string {
    if (!this.#datesHide) return 'k.allowed as viewers';
    return `case when ${IN_TIME} then k.allowed
        else array(select unnest(k.allowed) intersect select unnest(k.inactive_allowed)) end as viewers`;
  }

  /**
   * The condition that a list shows the content `c` with its row `k` of the catalog: the tokens of the parameter `principals` may view
   * it, and it is between its dates, unless the boolean parameter `inactive` lifts that.
   */
  visibleNow(principals: string, inactive?: string): string {
    return `${this.viewable(principals)} and ${inactive === undefined ? IN_TIME : `(${inactive} or (${IN_TIME}))`}`;
  }

  /** The name of a prepared statement with this rule, because each name has one text. */
  named(name: string): string {
    return this.#datesHide ? `${name}-dated` : name;
  }
}

/** The viewers of content by their tokens, and the rule of the site. */
export type Viewers = { principals: readonly string[]; rule: ViewRule };

/** Makes a prepared statement that selects viewable content, with a name and a text for each rule. */
export function viewed(
  name: string,
  text: (rule: ViewRule) => string,
): (rule: ViewRule) => { name: string; text: string } {
  const made = new Map(
    [false, true].map(ViewRule.of).map((rule) => [rule, { name: rule.named(name), text: text(rule) }]),
  );
  return (rule) => made.get(rule) ?? { name: rule.named(name), text: text(rule) };
}
