import type { Caller } from './callers.ts';
import { hiddenWords, KEPT_FROM } from './pages.ts';
import { type CallerName, type Expected, expectedOf, type Row, type State } from './row.ts';
import type { Scene } from './scene.ts';
import { makeThings, requestOf, type Things } from './things.ts';

/**
 * Operations that are open to everybody until their body is read: it proves who sends it, or the object that it changes has rights of its
 * own.
 */
const DECIDED_BY_BODY: ReadonlySet<string> = new Set([
  'POST /@users/{id}/reset-password',
  'POST /@totp',
  'POST /@totp/confirm',
  'PATCH /@comments/{comment}',
  'PATCH /{path}/@comments/{comment}',
]);

/** Tables with rows that `restore` puts back. */
const RESTORED = new Set(['content', 'account', 'group_member']);

const LISTED_FOR: readonly CallerName[] = ['Owner', 'Manager'];

/** Sends the request of a row for one caller. Returns the problems of the response. */
async function ask(
  scene: Scene,
  row: Row,
  { expected, caller, things, state }: { expected: Expected; caller: Caller; things: Things; state: State },
): Promise<string[]> {
  const { method, address, json, listed } = requestOf(scene, row, { caller, things });
  const { status, text } = await scene.send({ method, address, json, headers: row.headers, token: caller.token });
  const wrong: string[] = [];
  const note = (problem: string) => wrong.push(`${caller.name} ${problem}: ${text.slice(0, 300)}`);
  if (status !== expected.status) note(`gets ${status}, not ${expected.status}`);
  // Callers without the permission do not learn the faults of a body.
  if (expected.status === 401 && json !== undefined && !DECIDED_BY_BODY.has(row.ask)) {
    const headers = row.headers;
    const broken = await scene.send({ method, address, json: { 'no such member': [] }, headers, token: caller.token });
    if (broken.status !== 401) note(`gets ${broken.status} for a broken body, not 401`);
  }
  if (KEPT_FROM.includes(caller.name))
    for (const word of hiddenWords(state)) if (text.toLowerCase().includes(word)) note(`is told what is ${word}`);
  if (listed !== undefined && text.includes(listed) !== LISTED_FOR.includes(caller.name))
    note(LISTED_FOR.includes(caller.name) ? `is not told of ${listed}` : `is told of ${listed}`);
  return wrong;
}

/**
 * Sends the request of a row for each caller, in the present state of the scene. Returns the problems: another status than the
 * row expects, changes by a request that was rejected or should change nothing, no change by a request that should, and words
 * that the caller may not see.
 */
export async function askAll(scene: Scene, row: Row, state: State): Promise<string[]> {
  const all = expectedOf(row, state).flatMap((expected) => {
    const caller = scene.callers.find(({ name }) => name === expected.name);
    return caller ? [{ expected, caller, state }] : [];
  });
  const harmless = all.filter(({ expected }) => !expected.effective);
  const effective = all.filter(({ expected }) => expected.effective);
  const [someone] = harmless;
  const shared: Things = someone ? await makeThings(scene, row, someone.caller) : new Map();
  const own = new Map<Caller, Things>();
  for (const { caller } of effective) own.set(caller, await makeThings(scene, row, caller));
  const wrong: string[] = [];

  if ([shared, ...own.values()].some(({ size }) => size > 0)) await scene.written();
  for (const one of harmless) wrong.push(...(await ask(scene, row, { ...one, things: shared })));
  const spoilt = await scene.written();
  for (const table of spoilt) wrong.push(`Requests that should change nothing wrote to ${table}`);
  // Otherwise other rows would fail because of it.
  if (spoilt.length > 0) await scene.restore();

  for (const one of effective) {
    wrong.push(...(await ask(scene, row, { ...one, things: own.get(one.caller) ?? shared })));
    const tables = await scene.written();
    if (tables.length === 0) wrong.push(`${one.caller.name} is granted it, but nothing changes`);
    if (row.ask.includes('{path}') || !tables.some((table) => RESTORED.has(table))) continue;
    await scene.restore();
    await scene.written();
  }
  return wrong;
}
