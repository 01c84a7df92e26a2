/** Conditions and actions of content rules: `ruleConditions` and `ruleActions` of a feature. */
export { RULE as PIECE } from '../configuration/profiles/profile-schema.ts';
export {
  RULE_KINDS as KINDS,
  type RuleAction as Action,
  type RuleActionContext as ActionContext,
  type RuleCondition as Condition,
  type RuleContext as Context,
  type RuleEvent as Event,
} from '../kernel/content-rules.ts';
