import { configuration, type Kernel, type Site, type Transaction } from '#core';
import { PANEL_ID } from './panel.ts';
import { followedEvents } from './statements/rules.ts';

/**
 * The events that rules of the site follow on. They are a part of the configuration, whose version comes with every look at
 * content: no process can miss a rule, and on a site without rules a write has no further statement.
 */
export function followedBy(site: Site): readonly unknown[] {
  const events = site.settings.get(PANEL_ID)?.events;
  return Array.isArray(events) ? events : [];
}

/** Lets all processes know which events the rules of the site follow, where that has changed. */
export async function noteFollowedEvents(tx: Transaction, site: Site): Promise<void> {
  const events = await followedEvents(tx);
  if (events.join() !== followedBy(site).join())
    await configuration.write(tx, [{ kind: configuration.KINDS.setting, id: PANEL_ID, position: 0, data: { events } }]);
}

/** Changes rules in one transaction, one change after the other, and lets all processes know which events are followed. */
export async function changeRules<T>(kernel: Kernel, work: (tx: Transaction, site: Site) => Promise<T>): Promise<T> {
  return kernel.db.transaction(async (tx) => {
    const site = await kernel.sites.at(await configuration.lock(tx), tx);
    const result = await work(tx, site);
    await noteFollowedEvents(tx, site);
    return result;
  });
}
