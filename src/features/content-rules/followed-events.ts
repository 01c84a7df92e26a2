import { configuration, type Kernel, type Site, type Transaction } from '#core';
import { PANEL_ID } from './panel.ts';
import { followedEvents } from './statements/rules.ts';

/**
 * The events that rules of the site follow on. They are a part of the configuration, whose version is read with all content: no process can miss a
 * rule, and on a site without rules a write needs no further statement.
 */
export function followedBy(site: Site): readonly unknown[] {
  const events = site.settings.get(PANEL_ID)?.events;
  return Array.isArray(events) ? events : [];
}

/** Stores the events that the rules of the site follow for all processes, if they have changed. */
export async function noteFollowedEvents(tx: Transaction, site: Site): Promise<void> {
  const events = await followedEvents(tx);
  if (events.join() !== followedBy(site).join())
    await configuration.write(tx, [{ kind: configuration.KINDS.setting, id: PANEL_ID, position: 0, data: { events } }]);
}

/** Changes rules in one transaction, one change after the other, and stores the followed events for all processes. */
export async function changeRules<T>(kernel: Kernel, work: (tx: Transaction, site: Site) => Promise<T>): Promise<T> {
  return kernel.db.transaction(async (tx) => {
    const site = await kernel.sites.at(await configuration.lock(tx), tx);
    const result = await work(tx, site);
    await noteFollowedEvents(tx, site);
    return result;
  });
}
