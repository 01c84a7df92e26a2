import { say } from '../lib/say.ts';
import { ask } from '../lib/site.ts';
import type { TableRole } from './role-table.tsx';

/** All roles that permissions can have: those that people are given, and those that follow from who somebody is. */
export async function loadAllRoles(signal: AbortSignal): Promise<TableRole[]> {
  const given = await ask<TableRole[]>('GET', '@roles', { signal });
  return [
    { id: 'Anonymous', title: say('Everybody') },
    { id: 'Authenticated', title: say('Who is logged in') },
    { id: 'Owner', title: say('Owner') },
    ...given.map(({ id, title }) => ({ id, title })),
  ];
}
