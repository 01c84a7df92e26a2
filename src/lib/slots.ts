/**
 * The typed name of a value that a layer stores in `Slots`, where a kernel has values of the code above it, which the type of the kernel cannot name.
 * Two slots are different even if their names are the same.
 */
export class Slot<T> {
  readonly name: string;
  /** Never set: it ties `T` to the slot. */
  declare protected readonly type: T;

  constructor(name: string) {
    this.name = name;
  }
}

/** Values by their slots. */
export class Slots {
  readonly #values = new Map<Slot<unknown>, unknown>();

  /** Fills a slot. Throws when it is filled: a mistake of a programmer. */
  set<T>(slot: Slot<T>, value: T): void {
    if (this.#values.has(slot)) throw new Error(`The slot "${slot.name}" is filled already`);
    this.#values.set(slot, value);
  }

  /** The value of a slot; undefined for an empty slot. */
  find<T>(slot: Slot<T>): T | undefined {
    return this.#values.get(slot) as T | undefined;
  }

  /** The value of a slot. Throws for an empty slot: a mistake of a programmer. */
  get<T>(slot: Slot<T>): T {
    if (!this.#values.has(slot)) throw new Error(`Nothing is in the slot "${slot.name}"`);
    return this.#values.get(slot) as T;
  }
}
