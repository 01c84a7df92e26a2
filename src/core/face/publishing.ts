/** The viewers of content in lists, and the effect of its dates of publication. */
export { datesAct, lastViewRule, viewersOf, viewRuleOf } from '../configuration/panels/publishing.ts';
