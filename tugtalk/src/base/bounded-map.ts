/** A map and a set with a limit, for entries that a long session would add without end. */

/** A map of at most `limit` entries: a new key drops the oldest one. A key that is set again keeps its age. */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #limit: number;

  constructor(limit: number) {
    super();
    this.#limit = limit;
  }

  override set(key: Key, value: Value): this {
    super.set(key, value);
    if (this.size > this.#limit) dropOldest(this);
    return this;
  }
}

/** A set of at most `limit` values: a new value drops the oldest one. A value that is added again keeps its age. */
export class BoundedSet<Value> extends Set<Value> {
  readonly #limit: number;

  constructor(limit: number) {
    super();
    this.#limit = limit;
  }

  override add(value: Value): this {
    super.add(value);
    if (this.size > this.#limit) dropOldest(this);
    return this;
  }
}

function dropOldest<Key>(entries: Map<Key, unknown> | Set<Key>): void {
  entries.delete(entries.keys().next().value as Key);
}
