import type { JsonObject } from '../../lib/json-object.ts';
import { addUnparsed, unparsedMember } from '../../lib/unparsed-json.ts';
import { siteScales } from '../configuration/panels/content.ts';
import { speaksPlone } from '../configuration/site/plone-names.ts';
import { allowsDiscussion, has } from '../content/permissions.ts';
import { storedValue } from '../content/values.ts';
import { ownLanguageTitle } from '../i18n/languages.ts';
import type { ResolvedNode } from '../types/content-row.ts';
import type { Field } from '../types/content-type.ts';
import type { Target } from '../types/field-kind.ts';
import { type RenderContext, urlOf } from './render-context.ts';

/** Title of a token of a language vocabulary; undefined for other vocabularies and unknown languages. */
const termTitle = (vocabulary: string, token: string): string | undefined =>
  /Languages?$/.test(vocabulary) ? ownLanguageTitle(token) : undefined;

/** The field for the comment of an editor on a change. */
const NOTE = 'changeNote';

/** The values of fields that the address of an object depends on, for callers who cannot edit it. */
type Addresses = { file?: unknown; remoteUrl?: unknown };

/** The fields of the objects in one response, in the form of responses. What objects of a type have in common is found out once. */
export class ServedFields {
  readonly #context: RenderContext;
  readonly #target: (uid: string) => Target | undefined;
  readonly #scales: ReturnType<typeof siteScales>;
  readonly #speaksPlone: boolean;

  constructor(context: RenderContext, targets: ReadonlyMap<string, Target>) {
    this.#context = context;
    this.#target = (uid) => targets.get(uid);
    this.#scales = siteScales(context.site);
    this.#speaksPlone = speaksPlone(context.site);
  }

  /** Adds the values of all fields that the caller may read to `served`. Returns those that the address of the object depends on. */
  write(served: JsonObject, resolved: ResolvedNode, mayEdit: boolean): Addresses {
    const { site, base, kernel } = this.#context;
    const { object } = resolved;
    const type = site.types.get(object.type);
    if (!type) return this.#copy(served, resolved);
    const addresses: Addresses = {};
    const read = {
      objectUrl: urlOf(base, object.path),
      target: this.#target,
      termTitle,
      scales: this.#scales,
      mayEdit,
      slots: kernel.slots,
    };
    // In Plone the note on a change is a field like any other, but its value is never stored.
    if (this.#speaksPlone && type.fieldByName.has(NOTE)) served[NOTE] = '';
    for (const { name, field, kind, isOpen } of kernel.fieldKinds.fieldsOf(type)) {
      if (name === 'id' || (!isOpen && !this.#mayRead(resolved, field))) continue;
      const unparsed = unparsedMember(object.fields, name);
      if (unparsed && kind.isServedAsStored?.(unparsed, field)) {
        addUnparsed(served, name, unparsed);
        continue;
      }
      const stored = storedValue(object, name) ?? kind.missing ?? null;
      const value = stored === null || kind.serialize === undefined ? stored : kind.serialize(stored, field, read);
      if (name === 'file' || name === 'remoteUrl') addresses[name] = value;
      served[name] = this.#present(resolved, name, value);
    }
    return addresses;
  }

  /** Adds the stored values of an object whose type does not exist. */
  #copy(served: JsonObject, resolved: ResolvedNode): Addresses {
    const { fields } = resolved.object;
    for (const name of Object.keys(fields)) {
      const unparsed = unparsedMember(fields, name);
      if (unparsed) addUnparsed(served, name, unparsed);
      // An assignment would set the prototype for a stored `__proto__`.
      else
        Object.defineProperty(served, name, {
          value: name === 'language' ? fields[name] : this.#present(resolved, name, fields[name]),
          ...{ writable: true, enumerable: true, configurable: true },
        });
    }
    return fields;
  }

  /** The value of a field that is served in another form if it has none. */
  #present({ object }: ResolvedNode, name: string, value: unknown): unknown {
    if (name === 'description') return value ?? '';
    if (name === 'allow_discussion') return allowsDiscussion(this.#context.site, object);
    // Volto reads the token of the language of any content: for content without a language, Plone serves an empty text.
    return name === 'language' && value === null && this.#speaksPlone ? '' : value;
  }

  /** Says if the caller may read a field that not all readers of the object may read. */
  #mayRead(resolved: ResolvedNode, { writeOnly, read_permission: permission }: Field): boolean {
    const { site, caller } = this.#context;
    return !writeOnly && (permission === undefined || has(site, caller, resolved, permission));
  }
}
