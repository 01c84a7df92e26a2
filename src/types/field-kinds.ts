import type { Field } from './content-type.ts';
import type { FieldKind } from './field-kind.ts';

/** The field kinds of a kernel, by factory and widget. */
export class FieldKinds {
  readonly #byFactory = new Map<string, FieldKind>();
  readonly #byWidget = new Map<string, FieldKind>();
  readonly #fallback: FieldKind;

  /**
   * @param fallback the kind of fields whose factory no kind has: their values are kept as JSON. Throws when two kinds have
   * one factory or one widget: a mistake of a programmer.
   */
  constructor(kinds: readonly FieldKind[], fallback: FieldKind) {
    this.#fallback = fallback;
    for (const kind of [...kinds, fallback]) {
      for (const factory of kind.factories) add(this.#byFactory, 'factory', factory, kind);
      for (const widget of kind.widgets ?? []) add(this.#byWidget, 'widget', widget, kind);
    }
  }

  of(field: Field): FieldKind {
    return this.#byWidget.get(field.widget ?? '') ?? this.#byFactory.get(field.factory) ?? this.#fallback;
  }
}

function add(kinds: Map<string, FieldKind>, what: string, name: string, kind: FieldKind): void {
  if (kinds.has(name)) throw new Error(`There are two field kinds with the ${what} "${name}"`);
  kinds.set(name, kind);
}
