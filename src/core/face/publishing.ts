/** Who may view content in lists, with its dates of publication where they act. */
export { lastViewRule, viewersOf, viewRuleOf } from '../configuration/panels/publishing.ts';
