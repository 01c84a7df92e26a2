/** The viewers of content in lists, with its dates of publication where they act. */
export { datesAct, lastViewRule, viewersOf, viewRuleOf } from '../configuration/panels/publishing.ts';
