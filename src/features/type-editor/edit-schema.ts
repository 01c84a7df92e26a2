import {
  type Behavior,
  type ContentType,
  type FieldKinds,
  fieldDefinitions,
  type Kernel,
  type Property,
  type TypeDefinition,
} from '#core';
import { BadRequest, type FieldProblem, ValidationFailed } from '#lib/errors';
import { isJsonObject, type JsonObject } from '#lib/json-object';
import { FieldsetEditor } from './edit-fieldsets.ts';
import { fieldNameProblem, kindProblem, nameFromTitle } from './field-rules.ts';
import { inheritedPart, ownSchema } from './own-schema.ts';

/** Maximum number of own fields of a type, and of names of layouts. */
const MAX_FIELDS = 200;
const LAYOUT = /^[\w@.+-]{1,100}$/;
/** Members that a schema may have. Clients send the other members back from responses; the title of a type is changed elsewhere. */
const SCHEMA_KEYS = new Set([
  ...['properties', 'fieldsets', 'required', 'layouts', 'type', 'title', '@id', '@type'],
  // Volto sends the type of its form, which the address names as well.
  'contentType',
]);

type Surroundings = { kinds: FieldKinds; behaviors: ReadonlyMap<string, Behavior>; messages: Kernel['messages'] };

/**
 * A change of the own fields and fieldsets of a type; those of its behaviors stay unchanged. All problems are collected, and `definition` throws them
 * together.
 */
export class SchemaEditor {
  readonly #definition: TypeDefinition;
  readonly #inherited: ContentType;
  readonly #around: Surroundings;
  readonly #properties: Map<string, Property>;
  readonly #required: Set<string>;
  readonly #fieldsets: FieldsetEditor;
  readonly #problems: FieldProblem[] = [];
  #layouts: string[];

  constructor(definition: TypeDefinition, around: Surroundings) {
    const { properties, fieldsets, required } = ownSchema(definition);
    this.#definition = definition;
    this.#around = around;
    this.#inherited = inheritedPart(definition, around.behaviors);
    this.#properties = new Map(Object.entries(properties));
    this.#required = new Set(required);
    this.#layouts = definition.layouts;
    this.#fieldsets = new FieldsetEditor(fieldsets, {
      inherited: this.#inherited.fieldsets,
      isOwn: (name) => this.#isOwn(name),
      isTaken: (id) => this.has(id),
      report: (field, message) => this.#problems.push({ field, message }),
      matched: (sent, stored) => around.messages.matchedText(sent, stored),
    });
  }

  /** True if the type or one of its behaviors has a field of that name. */
  has(name: string): boolean {
    return this.#properties.has(name) || this.#inherited.fieldByName.has(name);
  }

  /** True if the type has a fieldset of that id. */
  hasFieldset(id: string): boolean {
    return this.#fieldsets.has(id);
  }

  /** Adds a field at the end of the fieldset `default`. Returns its name. */
  addField(sent: JsonObject): string {
    const { id, title } = sent;
    const name = id === undefined && typeof title === 'string' ? nameFromTitle(title) : id;
    const problem = fieldNameProblem(name);
    if (typeof name !== 'string' || problem !== undefined) {
      this.#report('id', problem ?? 'Must be a text.');
      this.#read('', sent, '');
      return '';
    }
    if (this.has(name) || this.hasFieldset(name))
      this.#report('id', `The type has something of the name "${name}" already. Give another id.`);
    else this.#set(name, sent, '');
    return name;
  }

  /** Changes a field of the type itself, or adds it. `under` is its place in the request, for errors. */
  setField(name: string, sent: JsonObject, under = ''): void {
    const { behavior } = this.#inherited.fieldByName.get(name) ?? {};
    if (behavior !== undefined)
      this.#report(under, `The field "${name}" comes from the behavior "${behavior}" and cannot be changed here.`);
    else this.#set(name, sent, under);
  }

  /** Removes a field of the type itself. */
  removeField(name: string): void {
    const { behavior } = this.#inherited.fieldByName.get(name) ?? {};
    if (behavior !== undefined)
      throw new BadRequest(
        `The field "${name}" comes from the behavior "${behavior}". It goes when the behavior is switched off.`,
      );
    this.#drop(name);
  }

  addFieldset(sent: JsonObject): string {
    return this.#fieldsets.add(sent);
  }

  setFieldset(id: string, sent: JsonObject): void {
    this.#fieldsets.change(id, sent);
  }

  removeFieldset(id: string): void {
    this.#fieldsets.remove(id);
  }

  /**
   * Applies a schema, or a part of a schema. With `whole` fields are removed that its properties leave out, and fieldsets that its fieldsets leave
   * out; fields of behaviors are ignored, because clients send them back.
   */
  apply(sent: JsonObject, { whole }: { whole: boolean }): void {
    const { properties, fieldsets, required, layouts } = sent;
    const unknown = Object.keys(sent).filter((name) => !SCHEMA_KEYS.has(name));
    for (const name of unknown) this.#report(name.slice(0, 100), 'Is no key that Canopy knows.');
    if (unknown.length > 0) return;
    if ([properties, fieldsets, required, layouts].every((part) => part === undefined))
      throw new BadRequest('There is nothing to change. Send properties, fieldsets, required or layouts.');
    if (properties !== undefined) this.#applyProperties(properties, whole);
    if (fieldsets !== undefined) this.#fieldsets.apply(fieldsets, whole);
    if (required !== undefined) this.#applyRequired(required);
    if (layouts !== undefined) this.#applyLayouts(layouts);
  }

  /** The type after the change. Throws ValidationFailed with all problems. */
  definition(): TypeDefinition {
    if (this.#properties.size > MAX_FIELDS)
      this.#report('properties', `A type has at most ${MAX_FIELDS} fields of its own.`);
    const fieldsets = this.#fieldsets.result();
    if (this.#problems.length > 0) throw new ValidationFailed(this.#problems.slice(0, MAX_FIELDS));
    return {
      ...this.#definition,
      properties: Object.fromEntries(this.#properties),
      required: [...this.#required],
      fieldsets,
      layouts: this.#layouts,
    };
  }

  #report(field: string, message: string): void {
    this.#problems.push(field === '' ? { message } : { field, message });
  }

  #isOwn(name: string): boolean {
    return this.#properties.has(name) && !this.#inherited.fieldByName.has(name);
  }

  #read(name: string, sent: JsonObject, under: string): Property | undefined {
    return fieldDefinitions.parse(sent, this.#properties.get(name), {
      name,
      kinds: this.#around.kinds,
      matched: (sent, stored) => this.#around.messages.matchedText(sent, stored),
      report: (setting, message) => this.#report(under === '' ? setting : `${under}.${setting}`, message),
    });
  }

  #set(name: string, sent: JsonObject, under: string): void {
    const isNew = !this.#properties.has(name);
    const property = this.#read(name, sent, under);
    const problem = property && isNew ? kindProblem(name, property, this.#around) : undefined;
    if (problem !== undefined) this.#report(under === '' ? 'id' : under, problem);
    if (sent.required !== undefined && typeof sent.required !== 'boolean')
      this.#report(under === '' ? 'required' : `${under}.required`, 'Must be true or false.');
    if (!property || problem !== undefined) return;
    this.#properties.set(name, property);
    if (isNew) this.#fieldsets.place(name);
    if (sent.required === true) this.#required.add(name);
    if (sent.required === false) this.#required.delete(name);
  }

  #drop(name: string): void {
    this.#properties.delete(name);
    this.#required.delete(name);
    this.#fieldsets.displace(name);
  }

  #applyProperties(properties: unknown, whole: boolean): void {
    if (!isJsonObject(properties)) {
      this.#report('properties', 'Must be an object of fields by their names.');
      return;
    }
    if (whole) {
      for (const name of [...this.#properties.keys()])
        if (this.#isOwn(name) && !Object.hasOwn(properties, name)) this.#drop(name);
    }
    for (const [name, sent] of Object.entries(properties).slice(0, 2 * MAX_FIELDS)) {
      const under = `properties.${name.slice(0, 100)}`;
      const problem = this.has(name) ? undefined : fieldNameProblem(name);
      if (whole && this.#inherited.fieldByName.has(name)) continue;
      if (problem !== undefined) this.#report(under, problem);
      else if (!this.has(name) && this.hasFieldset(name)) this.#report(under, 'There is a fieldset of that id.');
      else if (isJsonObject(sent)) this.setField(name, sent, under);
      else this.#report(under, 'Must be an object. DELETE removes a field.');
    }
  }

  #applyRequired(required: unknown): void {
    if (!Array.isArray(required)) {
      this.#report('required', 'Must be a list of names of fields.');
      return;
    }
    const unknown = required.find((name) => typeof name !== 'string' || !this.has(name));
    // The request may still name a field that has just been removed.
    if (unknown !== undefined && !(typeof unknown === 'string' && this.#isKnownBefore(unknown)))
      this.#report('required', `There is no field ${JSON.stringify(unknown).slice(0, 100)}.`);
    for (const name of this.#properties.keys()) {
      if (!this.#isOwn(name)) continue;
      if (required.includes(name)) this.#required.add(name);
      else this.#required.delete(name);
    }
  }

  #isKnownBefore(name: string): boolean {
    return Object.hasOwn(this.#definition.properties ?? {}, name);
  }

  #applyLayouts(layouts: unknown): void {
    const names = Array.isArray(layouts) ? layouts.filter((name) => typeof name === 'string' && LAYOUT.test(name)) : [];
    if (!Array.isArray(layouts) || names.length < layouts.length || names.length > MAX_FIELDS)
      this.#report('layouts', 'Must be a list of names of views.');
    else if (names.length > 0) this.#layouts = [...new Set<string>(names)];
  }
}
