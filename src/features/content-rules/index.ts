import { defineFeature } from '#core';
import { contentActions } from './actions/content-actions.ts';
import { messageActions } from './actions/message-actions.ts';
import { setField } from './actions/set-field.ts';
import { webhook } from './actions/webhook.ts';
import { assignmentServices } from './assignment-endpoints.ts';
import { coreConditions } from './conditions/core-conditions.ts';
import { ruleElementServices } from './element-endpoints.ts';
import { ruleHealth, webhookHealth } from './health.ts';
import { notificationServices } from './notification-endpoints.ts';
import { contentRulesPanel } from './panel.ts';
import { ruleTable } from './profile-rules.ts';
import { ruleServices } from './rule-endpoints.ts';
import { ruleEventVocabulary } from './rule-events.ts';
import { subscribeRules } from './subscribe.ts';
import { startWebhooks } from './webhook-worker.ts';

/** Rules that act when something happens on the site (`@controlpanels/content-rules`, `@content-rules`). */
export const contentRulesFeature = defineFeature({
  name: 'content-rules',
  services: [...ruleServices, ...ruleElementServices, ...assignmentServices, ...notificationServices],
  panels: [contentRulesPanel],
  vocabularies: [ruleEventVocabulary],
  ruleConditions: coreConditions,
  ruleActions: [...contentActions, ...messageActions, setField, webhook],
  profileTables: [ruleTable],
  tables: [
    { name: 'content_rule', changes: { unread: 'rules are never kept' }, key: ['id'], numbered: ['number'] },
    {
      name: 'content_rule_assignment',
      changes: { unread: 'rules are never kept' },
      key: ['content', 'rule'],
      content: 'content',
    },
    { name: 'content_rule_failure', changes: { unread: 'rules are never kept' }, key: ['id'], numbered: ['id'] },
    { name: 'notification', changes: { unread: 'notifications are never kept' }, key: ['id'], numbered: ['id'] },
  ],
  healthChecks: [webhookHealth, ruleHealth],
  subscribe: subscribeRules,
  start: startWebhooks,
});
