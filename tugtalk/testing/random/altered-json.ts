/** JSON values that differ from a given one in a few places. */
import * as fc from "fast-check";

/** Values that a field is unlikely to have, and some that look right, as JSON. */
const ODD: readonly string[] = [
  ...["null", "true", "false", "0", "1", "-1", "7.5", "2147483648", "9007199254740992", "1e999"],
  ...['""', '"a word"', '"a\\u0000b"', '"AAAAAAAA-2222-4333-8444-555555555555"'],
  ...["[]", '["a"]', "[null]", "[{}]", "{}", '{"type":"text"}', '{"a":1}', '{"a":{"b":"\\u0000"}}'],
  ...['{"__proto__":{"a":1}}', '{"toString":0,"valueOf":0}', '{"constructor":{}}'],
];

/** One change, as numbers that choose its place and its kind. */
export type Change = { readonly place: number; readonly odd: string; readonly kind: number };

export const change: fc.Arbitrary<Change> = fc.record({
  place: fc.nat(),
  odd: fc.constantFrom(...ODD),
  kind: fc.nat({ max: 5 }),
});

/** One of the values with up to three changes. */
export function alteredJson(values: readonly unknown[]): fc.Arbitrary<unknown> {
  return fc
    .tuple(fc.constantFrom(...values), fc.array(change, { maxLength: 3 }))
    .map(([value, changes]) => altered(value, changes));
}

/** A copy with these changes. */
export function altered(value: unknown, changes: readonly Change[]): unknown {
  return changes.reduce(applied, JSON.parse(JSON.stringify(value)));
}

function applied(value: unknown, { place, odd, kind }: Change): unknown {
  const slots = slotsOf(value);
  const { holder, key } = slots[place % Math.max(slots.length, 1)] ?? {};
  const given: unknown = JSON.parse(odd);
  if (holder === undefined || key === undefined) return given;
  if (Array.isArray(holder)) holder.splice(Number(key), kind === 0 ? 1 : 0, given);
  else if (kind === 0) delete holder[key];
  else if (kind === 1) define(holder, "further", given);
  else if (kind === 2) define(holder, "__proto__", given);
  else if (kind === 3) define(holder, key, [holder[key]]);
  else define(holder, key, given);
  return value;
}

/** As the JSON parser does it: also for `__proto__`. */
function define(holder: object, key: string, value: unknown): void {
  const how = { enumerable: true, configurable: true, writable: true };
  Object.defineProperty(holder, key, { value, ...how });
}

type Slot = { readonly holder: Record<string, unknown> | unknown[]; readonly key: string };

/** Every key of every object and array in a value. */
function slotsOf(value: unknown): Slot[] {
  if (typeof value !== "object" || value === null) return [];
  const holder = value as Record<string, unknown>;
  return Object.entries(holder).flatMap(([key, inner]) => [{ holder, key }, ...slotsOf(inner)]);
}
