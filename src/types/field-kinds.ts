import type { Field } from './content-type.ts';
import type { FieldKind } from './field-kind.ts';

/** The field kinds of a site, by factory. Core and add-ons register with the same call. */
export class FieldKinds {
  readonly #byFactory = new Map<string, FieldKind>();
  readonly #byWidget = new Map<string, FieldKind>();
  readonly #fallback: FieldKind;

  /** @param fallback the kind of fields whose factory nobody has registered: their values are kept as JSON. */
  constructor(kinds: readonly FieldKind[], fallback: FieldKind) {
    this.#fallback = fallback;
    for (const kind of [...kinds, fallback]) this.register(kind);
  }

  /** Adds a kind; a later one with the same factory replaces the earlier. */
  register(kind: FieldKind): void {
    for (const factory of kind.factories) this.#byFactory.set(factory, kind);
    for (const widget of kind.widgets ?? []) this.#byWidget.set(widget, kind);
  }

  of(field: Field): FieldKind {
    return this.#byWidget.get(field.widget ?? '') ?? this.#byFactory.get(field.factory) ?? this.#fallback;
  }
}
