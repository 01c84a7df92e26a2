import { type Fieldset, fieldDefinitions, fieldValues } from '#core';
import { BadRequest } from '#lib/errors';
import { isJsonObject, type JsonObject } from '#lib/json-object';
import { fieldsetIdProblem, nameFromTitle } from './field-rules.ts';

/** Maximum number of fieldsets of a type, including those of its behaviors. */
const MAX_FIELDSETS = 50;
/** The fieldset of fields that no fieldset names. */
const FIRST = 'default';
/** Members that a fieldset may have. Clients send some of them back that are defined elsewhere. */
const KEYS = new Set(['id', 'name', 'title', 'description', 'fields', 'factory', 'behavior', '@id', '@type']);

type Context = {
  /** Fieldsets of behaviors. Own fieldsets of the same id add fields to them. */
  inherited: readonly Fieldset[];
  /** True if the field belongs to the type itself. */
  isOwn: (name: string) => boolean;
  /** True if there is a field of the name. */
  isTaken: (name: string) => boolean;
  report: (field: string, message: string) => void;
  /** The new text that a client means for the stored one, see `Messages.matchedText`. */
  matched: (sent: string, stored: string | undefined) => string;
};

/** A change of the own fieldsets of a type, and of the places of its own fields. */
export class FieldsetEditor {
  #sets: Fieldset[];
  readonly #context: Context;

  constructor(sets: Fieldset[], context: Context) {
    this.#sets = sets;
    this.#context = context;
  }

  has(id: string): boolean {
    return this.#own(id) !== undefined || this.#inherited(id) !== undefined;
  }

  /** Adds an empty fieldset. Returns its id. */
  add(sent: JsonObject): string {
    const { id, title } = sent;
    const wanted = id === undefined && typeof title === 'string' ? nameFromTitle(title) : id;
    const problem = fieldsetIdProblem(wanted);
    if (typeof wanted !== 'string' || problem !== undefined) {
      this.#context.report('id', problem ?? 'Must be a text.');
      return '';
    }
    if (this.has(wanted) || this.#context.isTaken(wanted))
      this.#context.report('id', `The type has something of the name "${wanted}" already. Give another id.`);
    else this.change(wanted, { title: '', ...sent });
    return wanted;
  }

  /** Changes or makes a fieldset. `under` is its place in the request. */
  change(id: string, sent: JsonObject, { under = '', whole = false } = {}): void {
    const report = (setting: string, message: string) =>
      this.#context.report(under === '' ? setting : `${under}.${setting}`, message);
    for (const name of Object.keys(sent))
      if (!KEYS.has(name)) report(name.slice(0, 100), 'Is no key that Canopy knows.');
    const inherited = this.#inherited(id);
    const own = this.#own(id) ?? { id, title: inherited?.title ?? '', fields: [] };
    for (const [setting, read] of [
      ['title', fieldDefinitions.parseTitle] as const,
      ['description', fieldDefinitions.parseDescription] as const,
    ]) {
      const value = sent[setting] ?? (setting === 'title' && !inherited && own.title === '' ? '' : undefined);
      if (value === undefined) continue;
      if (!inherited)
        fieldValues.attempt(
          setting,
          () => Object.assign(own, { [setting]: this.#context.matched(read(value), own[setting]) }),
          report,
        );
      else if (!whole && this.#context.matched(String(value), inherited[setting]) !== (inherited[setting] ?? ''))
        report(setting, `The fieldset "${id}" comes from the behavior "${inherited.behavior}".`);
    }
    if (!this.#own(id)) this.#sets.push(own);
    if (sent.fields !== undefined) this.#order(own, sent.fields, report);
  }

  /** Removes an empty fieldset of the type itself. Throws BadRequest for other fieldsets. */
  remove(id: string): void {
    const { behavior } = this.#inherited(id) ?? {};
    if (behavior !== undefined)
      throw new BadRequest(`The fieldset "${id}" comes from the behavior "${behavior}" and cannot be removed here.`);
    if (id === FIRST) throw new BadRequest('The first fieldset cannot be removed.');
    const [field] = this.#own(id)?.fields ?? [];
    if (field !== undefined)
      throw new BadRequest(
        `The fieldset "${id}" still has the field "${field}". Move its fields or remove them first.`,
      );
    this.#sets = this.#sets.filter((set) => set.id !== id);
  }

  /** Applies several fieldsets. With `whole` missing own fieldsets are removed, and their fields are moved to the first. */
  apply(sent: unknown, whole: boolean): void {
    if (!Array.isArray(sent)) {
      this.#context.report('fieldsets', 'Must be a list of objects with id, title and fields.');
      return;
    }
    const ids: string[] = [];
    for (const [at, entry] of sent.slice(0, 2 * MAX_FIELDSETS).entries()) {
      const under = `fieldsets.${at}`;
      const id = this.#idOf(entry, under);
      if (id === undefined || !isJsonObject(entry)) continue;
      if (ids.includes(id)) this.#context.report(under, `There are two fieldsets "${id}".`);
      ids.push(id);
      this.change(id, entry, { under, whole });
    }
    if (!whole) return;
    const left = this.#sets.filter(({ id }) => !ids.includes(id)).flatMap(({ fields }) => fields);
    this.#sets = ids.flatMap((id) => this.#own(id) ?? []);
    for (const name of left) if (this.#context.isOwn(name)) this.place(name);
  }

  /** Puts a field at the end of the first fieldset. */
  place(name: string): void {
    const first = this.#own(FIRST);
    if (first) first.fields.push(name);
    else this.#sets.unshift({ id: FIRST, title: this.#inherited(FIRST)?.title ?? 'Default', fields: [name] });
  }

  displace(name: string): void {
    for (const set of this.#sets) set.fields = set.fields.filter((field) => field !== name);
  }

  /** The fieldsets of the type itself; fieldsets that only repeat one of a behavior are left out. */
  result(): Fieldset[] {
    const kept = this.#sets.filter(({ id, fields }) => fields.length > 0 || !this.#inherited(id));
    if (kept.length > MAX_FIELDSETS)
      this.#context.report('fieldsets', `A type has at most ${MAX_FIELDSETS} fieldsets.`);
    return kept;
  }

  #own(id: string): Fieldset | undefined {
    return this.#sets.find((set) => set.id === id);
  }

  #inherited(id: string): Fieldset | undefined {
    return this.#context.inherited.find((set) => set.id === id);
  }

  /** The id of a fieldset in a list: an existing id, or a valid id for a new fieldset. */
  #idOf(entry: unknown, under: string): string | undefined {
    const { report, isTaken } = this.#context;
    if (!isJsonObject(entry)) {
      report(under, 'Must be an object with id, title and fields.');
      return undefined;
    }
    const { id: given, title } = entry;
    const id = given === undefined && typeof title === 'string' ? nameFromTitle(title) : given;
    const known = typeof id === 'string' && this.has(id);
    const problem = known ? undefined : fieldsetIdProblem(id);
    if (typeof id === 'string' && problem === undefined && (known || !isTaken(id))) return id;
    report(`${under}.id`, problem ?? 'There is a field of that name.');
    return undefined;
  }

  /** Moves own fields into the fieldset, in this order; other own fields of the fieldset come after them. */
  #order(set: Fieldset, sent: unknown, report: Context['report']): void {
    const { isOwn, isTaken } = this.#context;
    if (!Array.isArray(sent)) {
      report('fields', 'Must be a list of names of fields.');
      return;
    }
    const names = [...new Set<unknown>(sent)];
    const unknown = names.find((name) => typeof name !== 'string' || !isTaken(name));
    if (unknown !== undefined) report('fields', `There is no field ${JSON.stringify(unknown).slice(0, 100)}.`);
    const present = this.#inherited(set.id)?.fields ?? [];
    const own: string[] = [];
    for (const name of names) {
      if (typeof name !== 'string' || !isTaken(name)) continue;
      if (isOwn(name)) own.push(name);
      else if (!present.includes(name))
        report('fields', `The field "${name}" comes from a behavior and stays in its fieldset.`);
    }
    const stay = set.fields.filter((name) => !own.includes(name));
    for (const name of own) this.displace(name);
    set.fields = [...own, ...stay];
  }
}
