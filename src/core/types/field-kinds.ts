import type { Field } from './content-type.ts';
import type { Property } from './definition.ts';
import { isWritable } from './field-input.ts';
import type { Factory, FieldKind, Sample } from './field-kind.ts';
import { isOpen } from './index-kinds.ts';
import type { Term } from './vocabularies/term.ts';

/** Settings of a field that decide its kind. */
export type KindMark = Pick<Property, 'factory' | 'widget'> & Partial<Pick<Property, 'type' | 'schema'>>;

/**
 * A field with its kind, and the settings that each write of content asks for. Each field has other settings, so that they are
 * slow to read.
 */
export type KindField = {
  readonly name: string;
  readonly field: Field;
  readonly kind: FieldKind;
  /** False if the value of a client is ignored. */
  readonly isWritable: boolean;
  /** True if all readers of the object may read the field. */
  readonly isOpen: boolean;
};

/** A factory with its kind. */
type KnownFactory = Factory & { kind: FieldKind };

const rootOf = (kind: FieldKind): FieldKind => (kind.narrows ? rootOf(kind.narrows) : kind);

/** The field kinds of a kernel, by factory and widget. */
export class FieldKinds {
  readonly #byFactory = new Map<string, KnownFactory>();
  readonly #byWidget = new Map<string, FieldKind>();
  readonly #byName = new Map<string, FieldKind>();
  /** The fields of types with their kinds, by the lists of these fields. */
  readonly #ofTypes = new WeakMap<readonly Field[], readonly KindField[]>();
  readonly #fallback: (mark: KindMark) => FieldKind;
  /** Kinds that recognize values of exports, the narrowest first. */
  readonly #recognizing: readonly FieldKind[];
  /** The factories of all kinds, in the order of the kinds. */
  readonly factories: readonly KnownFactory[];
  /** The terms of the vocabulary `Fields`: the kinds that schema editors offer (Nick, plone.restapi), by title. */
  readonly terms: readonly Term[];

  /**
   * @param fallback the kind of fields whose factory no kind has. Throws when two kinds have one factory or one widget: a
   * mistake of a programmer.
   */
  constructor(kinds: readonly FieldKind[], fallback: (mark: KindMark) => FieldKind) {
    this.#fallback = fallback;
    this.factories = kinds.flatMap((kind) => kind.factories.map((factory) => ({ ...factory, kind })));
    for (const factory of this.factories)
      for (const name of new Set([factory.name, ...(factory.aliases ?? []), ...(factory.tokens ?? [])]))
        add(this.#byFactory, 'factory', name, factory);
    for (const kind of kinds) {
      for (const widget of kind.widgets ?? []) add(this.#byWidget, 'widget', widget, kind);
      for (const name of kind.fieldNames ?? []) add(this.#byName, 'field name', name, kind);
    }
    this.#recognizing = kinds
      .filter(({ recognizes }) => recognizes)
      .sort(({ breadth: a = 0 }, { breadth: b = 0 }) => a - b);
    this.terms = this.factories
      .flatMap(({ name, label = name, tokens = [] }) => tokens.map((token) => ({ token, title: label })))
      .sort((a, b) => a.title.localeCompare(b.title, 'en') || (a.token < b.token ? -1 : 1));
  }

  /** The kind of a field. A group without fields inside is any JSON, as old sites may have it. */
  of(mark: KindMark): FieldKind {
    const kind = this.#byWidget.get(mark.widget ?? '') ?? this.#byFactory.get(mark.factory)?.kind;
    return kind && !(kind.groups && mark.schema === undefined) ? kind : this.#fallback(mark);
  }

  /** The fields of a type with their kinds, in their order; none without a type. Found once, because a type never changes. */
  fieldsOf(type: { fields: readonly Field[] } | undefined): readonly KindField[] {
    if (type === undefined) return [];
    const { fields } = type;
    const known = this.#ofTypes.get(fields);
    if (known) return known;
    const found = fields.map((field) => ({
      name: field.name,
      field,
      kind: this.of(field),
      isWritable: isWritable(field),
      isOpen: isOpen(field),
    }));
    this.#ofTypes.set(fields, found);
    return found;
  }

  /** Says if a kind has the factory or the widget of a field. */
  has({ factory, widget = '' }: Pick<KindMark, 'factory' | 'widget'>): boolean {
    return this.#byWidget.has(widget) || this.#byFactory.has(factory);
  }

  /** Says if fields of a factory have fields inside, which their `schema` declares. */
  isGroup({ factory }: Pick<KindMark, 'factory'>): boolean {
    return this.#byFactory.get(factory)?.kind.groups !== undefined;
  }

  /** The factory of a name, an alias or a token of the vocabulary `Fields`; undefined for none. */
  factory(name: unknown): Factory | undefined {
    return typeof name === 'string' ? this.#byFactory.get(name) : undefined;
  }

  /** The kind that every field of a name must have; undefined if fields of the name may be of any kind. */
  ofFieldName(name: string): FieldKind | undefined {
    return this.#byName.get(name);
  }

  /** Says if two fields are of the same kind, also by narrowing, so that values of one can be used for the other. */
  agree(a: KindMark, b: KindMark): boolean {
    return rootOf(this.of(a)) === rootOf(this.of(b));
  }

  /** The narrowest kind that recognizes all values of a field in an export; undefined for none. */
  recognize(samples: readonly Sample[]): FieldKind | undefined {
    return this.#recognizing.find((kind) => samples.every((sample) => kind.recognizes?.(sample)));
  }
}

function add<T>(known: Map<string, T>, what: string, name: string, thing: T): void {
  if (known.has(name)) throw new Error(`There are two field kinds with the ${what} "${name}"`);
  known.set(name, thing);
}
