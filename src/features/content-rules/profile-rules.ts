import { contentRules, type Kernel, type ProfileTable, type Queryable } from '#core';
import { BadRequest, ClientError, ValidationFailed } from '#lib/errors';
import { isJsonObject, type JsonObject, omit, textOf } from '#lib/json-object';
import { type ElementList, requireRoom } from './change-rules.ts';
import { defaultOf, findKind, parseElementValues, requireKind, targetsOf } from './element-values.ts';
import { noteFollowedEvents } from './followed-events.ts';
import { parseRuleEvent } from './rule-events.ts';
import { kindsOf } from './rule-json.ts';
import { assignmentsOfRules, findFolders, writeAssignments } from './statements/profile-assignments.ts';
import {
  deleteRule,
  findRules,
  replaceRule,
  ruleIds,
  type StoredElement,
  type StoredRule,
} from './statements/rules.ts';

/** A rule as a profile describes it, with every key: conditions and actions with their values beside the type. */
type ProfileRule = Omit<StoredRule, 'conditions' | 'actions'> & {
  conditions: JsonObject[];
  actions: JsonObject[];
  /** The assignments by the paths of folders. */
  assignments: Record<string, { enabled: boolean; bubbles: boolean }>;
};

/** A piece of a profile, with the file that it is from. */
type Piece = Parameters<ProfileTable['write']>[1][number];

/** The context of a change of the table. */
type TableChange = Parameters<ProfileTable['write']>[0];

/** A part of a piece that was not written, with the reason. */
type LeftOut = Awaited<ReturnType<ProfileTable['write']>>[number];

const LISTS: readonly ElementList[] = ['conditions', 'actions'];

const listOf = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isJsonObject) : []);

/** An element without default values. */
function elementOf(kernel: Kernel, list: ElementList, { type, ...values }: JsonObject): JsonObject {
  const kind = findKind(kindsOf(kernel, list), textOf(type));
  if (!kind) return { type, ...values };
  const isUsual = (name: string): boolean =>
    Object.hasOwn(kind.schema.properties, name) &&
    JSON.stringify(values[name] ?? null) === JSON.stringify(defaultOf(kernel, kind, name));
  return { type: kind.name, ...omit(values, isUsual) };
}

/** Fills a rule of a file with every key. The schema of profiles has rejected unknown keys. */
function completeRule(kernel: Kernel, id: string, data: unknown): ProfileRule {
  const { title, description, event, enabled, stop, cascading, conditions, actions, assignments } = isJsonObject(data)
    ? data
    : {};
  const places = Object.entries(isJsonObject(assignments) ? assignments : {}).map(([path, place]) => {
    const { enabled: isOn = true, bubbles = false } = isJsonObject(place) ? place : {};
    return [path, { enabled: isOn === true, bubbles: bubbles === true }] as const;
  });
  return {
    ...{ id, title: textOf(title), description: textOf(description) },
    event: parseRuleEvent(textOf(event)) ?? textOf(event),
    ...{ enabled: enabled !== false, stop: stop === true, cascading: cascading === true },
    conditions: listOf(conditions).map((element) => elementOf(kernel, 'conditions', element)),
    actions: listOf(actions).map((element) => elementOf(kernel, 'actions', element)),
    assignments: Object.fromEntries(places),
  };
}

/** Loads rules of the site in the form of a profile, in which paths name content. */
async function loadRules(
  kernel: Kernel,
  db: Queryable,
  ids: readonly string[],
): Promise<{ id: string; data: ProfileRule }[]> {
  const rules = await findRules(db, ids);
  const places = await assignmentsOfRules(db, ids);
  const elements = rules.flatMap((rule) =>
    LISTS.flatMap((list) => rule[list].map((element) => ({ kind: kindsOf(kernel, list).get(element.type), element }))),
  );
  const targets = await targetsOf(kernel, db, elements);
  const shown = (list: ElementList, { type, values }: StoredElement): JsonObject => {
    const named = Object.entries(values).map(([name, value]) => [name, targets.get(String(value))?.path ?? value]);
    return elementOf(kernel, list, { type, ...Object.fromEntries(named) });
  };
  return rules.map((rule) => ({
    id: rule.id,
    data: {
      ...rule,
      conditions: rule.conditions.map((element) => shown('conditions', element)),
      actions: rule.actions.map((element) => shown('actions', element)),
      assignments: Object.fromEntries(
        places
          .filter((place) => place.rule === rule.id)
          .map(({ path, enabled, bubbles }) => [path, { enabled, bubbles }]),
      ),
    },
  }));
}

/** Checks the elements of a rule like elements from clients. Throws BadRequest, which names the file, the rule and the value. */
async function storedElements(
  { kernel, tx, site }: TableChange,
  { file, id }: Piece,
  list: ElementList,
  elements: readonly JsonObject[],
): Promise<StoredElement[]> {
  const stored: StoredElement[] = [];
  for (const [at, { type, ...input }] of elements.entries()) {
    const place = `${file}, ${id}.${list}.${at}`;
    try {
      const kind = requireKind(kindsOf(kernel, list), type);
      const values = await parseElementValues({ kernel, site, db: tx, bases: [] }, kind, { input });
      stored.push({ type: kind.name, values });
    } catch (error) {
      if (error instanceof ValidationFailed)
        throw new BadRequest(
          `${place}: ${error.problems.map(({ field, message }) => (field === undefined ? message : `"${field}": ${message}`)).join(' ')}`,
        );
      throw error instanceof ClientError ? new BadRequest(`${place}: ${error.message}`) : error;
    }
  }
  return stored;
}

/** Writes one rule with the folders that have it. Returns the unknown folders. */
async function writeRule(change: TableChange, piece: Piece): Promise<LeftOut[]> {
  const { kernel, tx } = change;
  const { assignments, ...rule } = completeRule(kernel, piece.id, piece.data);
  if (parseRuleEvent(rule.event) === undefined)
    throw new BadRequest(`${piece.file}, ${piece.id}.event: There is no event "${rule.event.slice(0, 100)}".`);
  await replaceRule(tx, {
    ...rule,
    conditions: await storedElements(change, piece, 'conditions', rule.conditions),
    actions: await storedElements(change, piece, 'actions', rule.actions),
  });
  const folders = await findFolders(tx, Object.keys(assignments));
  const places = Object.entries(assignments).flatMap(([path, switches]) => {
    const oid = folders.get(path);
    return oid === undefined ? [] : [{ oid, ...switches }];
  });
  await writeAssignments(tx, rule.id, places);
  return Object.keys(assignments)
    .filter((path) => !folders.has(path))
    .map((path) => ({ id: rule.id, key: `assignments.${path}`, reason: 'there is nothing at this path' }));
}

/** The content rules that profiles and add-ons bring (`rules.json`), with their folders and switches. */
export const ruleTable: ProfileTable = {
  kind: contentRules.PIECE,
  noun: 'content rule',
  ids: ruleIds,
  load: loadRules,
  complete: completeRule,
  uses: async () => new Map(),
  async write(change, pieces) {
    const leftOut: LeftOut[] = [];
    for (const piece of pieces) leftOut.push(...(await writeRule(change, piece)));
    await requireRoom(change.tx);
    await noteFollowedEvents(change.tx, change.site);
    return leftOut;
  },
  async remove({ tx, site }, ids) {
    for (const id of ids) await deleteRule(tx, id);
    await noteFollowedEvents(tx, site);
  },
};
