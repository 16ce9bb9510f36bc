/**
 * Which id of the recording is which id now. The bridge mints new ones each time; that two lines say
 * the same is judged up to a one-to-one renaming of these, which is learned on the way.
 */
import { isOverlong, type Line } from "../src/lines.ts";
import { toLine } from "../src/recorded-line.ts";
import type { RecordedLine } from "../src/recording.ts";
import { isSameMasked } from "./masked-text.ts";

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;

type Pair = readonly [then: string, now: string];

/** What two values have in common: ids that stand in the same places. Masks hide nothing where there are none. */
type Common = { readonly pairs: Pair[]; readonly hasMasks: boolean };

export class Renaming {
  readonly #now = new Map<string, string>();
  readonly #then = new Map<string, string>();
  readonly #masked: ReadonlySet<unknown>;

  /** `masked`: the values of the recording in which something was masked. */
  constructor(masked: ReadonlySet<unknown> = new Set()) {
    this.#masked = masked;
  }

  /** Text that comes to the bridge, with the ids of now. An id that comes from outside keeps its name. */
  rename(text: string): string {
    return text.replaceAll(UUID, (id) => {
      if (!this.#now.has(id) && !this.#then.has(id)) this.#learn([[id, id]]);
      return this.#now.get(id) ?? id;
    });
  }

  /** The same in every text of a value. */
  renameAll<Value>(value: Value): Value {
    return JSON.parse(this.rename(JSON.stringify(value)));
  }

  /** The lines of a recording, as they come now. */
  linesOf({ lines }: { readonly lines: readonly RecordedLine[] }): Line[] {
    return lines.map((recorded) => {
      const line = toLine(recorded);
      if (isOverlong(line)) return line;
      // One character for each byte, so that a line that is no UTF-8 comes as it was but for its ids.
      return Buffer.from(this.rename(Buffer.from(line).toString("latin1")), "latin1");
    });
  }

  /** Whether two values say the same; then what is new in it is learned. */
  isSame(then: unknown, now: unknown, hasMasks = this.#masked.has(then)): boolean {
    const common = { pairs: [], hasMasks };
    if (!collect(then, now, common) || !this.#allows(common.pairs)) return false;
    this.#learn(common.pairs);
    return true;
  }

  /** Learns what two values have in common that are not the same. */
  learnFrom(then: unknown, now: unknown): void {
    for (const pair of commonPairs(then, now, this.#masked.has(then)))
      if (this.#allows([pair])) this.#learn([pair]);
  }

  #allows(pairs: readonly Pair[]): boolean {
    const [forth, back] = [new Map<string, string>(), new Map<string, string>()];
    return pairs.every(([then, now]) => {
      const isFree =
        (this.#now.get(then) ?? forth.get(then) ?? now) === now &&
        (this.#then.get(now) ?? back.get(now) ?? then) === then;
      forth.set(then, now);
      back.set(now, then);
      return isFree;
    });
  }

  #learn(pairs: readonly Pair[]): void {
    for (const [then, now] of pairs) {
      this.#now.set(then, now);
      this.#then.set(now, then);
    }
  }
}

/** Whether two values are the same but for ids; `common` gets these. */
function collect(then: unknown, now: unknown, common: Common): boolean {
  if (typeof then === "string" && typeof now === "string") return collectIds(then, now, common);
  if (typeof then !== "object" || typeof now !== "object") return Object.is(then, now);
  if (then === null || now === null || Array.isArray(then) !== Array.isArray(now))
    return then === now;
  return collectFields(Object.entries(then), Object.entries(now), common);
}

type Entries = readonly (readonly [string, unknown])[];

function collectFields(then: Entries, now: Entries, common: Common): boolean {
  if (then.length !== now.length) return false;
  const fields = new Map(now);
  // The keys of a record may be ids themselves: then their order tells which is which.
  return then.every(([key, value], index) =>
    fields.has(key)
      ? collect(value, fields.get(key), common)
      : collectIds(key, now[index]?.[0] ?? "", common) && collect(value, now[index]?.[1], common),
  );
}

function collectIds(then: string, now: string, common: Common): boolean {
  const [rest, other] = [then.replaceAll(UUID, ""), now.replaceAll(UUID, "")];
  if (rest !== other && !(common.hasMasks && isSameMasked(rest, other))) return false;
  const [ours, theirs] = [then.match(UUID) ?? [], now.match(UUID) ?? []];
  if (ours.length !== theirs.length) return false;
  ours.forEach((id, index) => {
    common.pairs.push([id, theirs[index] ?? id]);
  });
  return true;
}

function commonPairs(then: unknown, now: unknown, hasMasks: boolean): Pair[] {
  const common = { pairs: [], hasMasks };
  if (collect(then, now, common)) return common.pairs;
  if (typeof then !== "object" || typeof now !== "object" || then === null || now === null)
    return [];
  const fields = new Map(Object.entries(now));
  return Object.entries(then).flatMap(([key, value]) =>
    commonPairs(value, fields.get(key), hasMasks),
  );
}
