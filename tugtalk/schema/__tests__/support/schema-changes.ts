/**
 * The changes from one version of `schema.json` to another. A change is broken if a program for the older
 * version may fail with the newer one. Inbound, the bridge does not accept a message any more; outbound, a
 * message differs from its generated types.
 */
import { type Fields, fieldsOf } from "../../../src/base/json.ts";

/** Sentences, and paths like `UserText.kind`. */
export type SchemaChanges = {
  readonly broken: readonly string[];
  /** New definitions and fields, and new values of lists. */
  readonly added: readonly string[];
};

/** The same place in both versions. */
type Pair = {
  readonly path: string;
  readonly isInbound: boolean;
  readonly older: Fields;
  readonly newer: Fields;
  /** Collects the paths of new fields, and new values. */
  readonly added: string[];
};

/** Compares two documents definition by definition. */
export function schemaChanges(older: Fields, newer: Fields): SchemaChanges {
  const [before, after] = [older, newer].map(({ $defs }) => fieldsOf($defs)) as [Fields, Fields];
  const inbound = reachable("InboundMessage", before);
  const added: string[] = [];
  const broken = Object.entries(before).flatMap(([path, definition]) => {
    if (after[path] === undefined) return `${path} is gone`;
    const both = { older: fieldsOf(definition), newer: fieldsOf(after[path]) };
    return compare({ path, isInbound: inbound.has(path), added, ...both });
  });
  const definitions = Object.keys(after).filter((name) => before[name] === undefined);
  return { broken, added: [...added, ...definitions] };
}

function reachable(name: string, definitions: Fields, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found;
  found.add(name);
  const references = JSON.stringify(definitions[name] ?? {}).matchAll(/"#\/\$defs\/(\w+)"/g);
  for (const [, inner = ""] of references) reachable(inner, definitions, found);
  return found;
}

/** The broken changes. */
function compare(pair: Pair): readonly string[] {
  return [
    ...compareTypes(pair),
    ...compareValues(pair),
    ...compareLimits(pair),
    ...compareRequired(pair),
    ...compareProperties(pair),
    ...compareAlternatives(pair),
    ...compareInner(pair),
  ];
}

function compareTypes({ path, isInbound, older, newer }: Pair): readonly string[] {
  const [before, after] = [older, newer].map(({ type }) => [type ?? []].flat()) as [
    unknown[],
    unknown[],
  ];
  const isWithin = (some: unknown[], others: unknown[]): boolean =>
    others.length === 0 || (some.length > 0 && some.every((type) => others.includes(type)));
  if (!isWithin(before, after)) return [`${path} has the type ${after}, and not ${before}`];
  return isInbound || isWithin(after, before)
    ? []
    : [`${path} may have the type ${after}, and not only ${before}`];
}

/** Known values and constants stay. A list of values may not replace an open value. */
function compareValues({ path, isInbound, added, older, newer }: Pair): readonly string[] {
  const [before, after] = [older, newer].map(
    ({ enum: values, const: value }) => values ?? (value === undefined ? undefined : [value]),
  ) as [unknown[] | undefined, unknown[] | undefined];
  if (before === undefined)
    return isInbound && after !== undefined ? [`${path} accepts listed values only`] : [];
  if (after === undefined && isInbound) return [];
  added.push(...(after ?? []).filter((value) => !before.includes(value)).map(String));
  const gone = before.filter((value) => !after?.includes(value));
  return gone.map((value) => `${path} has no value ${JSON.stringify(value)}`);
}

/** Keywords that refuse some values of a type. */
const LIMITS = ["pattern", "format", "not", "if", "else", "propertyNames", "minLength"] as const;
const LEAST = ["minimum", "exclusiveMinimum"] as const;
const MOST = ["maximum", "exclusiveMaximum"] as const;

/** Inbound no limit may become narrower, outbound none wider. */
function compareLimits({ path, isInbound, older, newer }: Pair): readonly string[] {
  const [wide, narrow] = isInbound ? [older, newer] : [newer, older];
  const isSame = (name: string): boolean =>
    JSON.stringify(wide[name]) === JSON.stringify(narrow[name]);
  const wrong = [
    ...LIMITS.filter((name) => narrow[name] !== undefined && !isSame(name)),
    ...LEAST.filter(
      (name) => Number(narrow[name]) > Number(wide[name] ?? Number.NEGATIVE_INFINITY),
    ),
    ...MOST.filter((name) => Number(narrow[name]) < Number(wide[name] ?? Number.POSITIVE_INFINITY)),
  ];
  const isClosed = narrow["additionalProperties"] === false && !isSame("additionalProperties");
  const names = isClosed ? [...wrong, "additionalProperties"] : wrong;
  return names.map((name) => `${path} has another ${name}`);
}

/** Inbound a field may become optional, outbound it may become required. */
function compareRequired({ path, isInbound, older, newer }: Pair): readonly string[] {
  const [before, after] = [older, newer].map(({ required }) => required ?? []) as [
    string[],
    string[],
  ];
  return isInbound
    ? after.filter((name) => !before.includes(name)).map((name) => `${path}.${name} is required`)
    : before.filter((name) => !after.includes(name)).map((name) => `${path}.${name} may be absent`);
}

function compareProperties({ path, isInbound, added, older, newer }: Pair): readonly string[] {
  const [before, after] = [older, newer].map(({ properties }) => fieldsOf(properties)) as [
    Fields,
    Fields,
  ];
  const names = Object.keys(after).filter((name) => before[name] === undefined);
  added.push(...names.map((name) => `${path}.${name}`));
  return Object.entries(before).flatMap(([name, field]) => {
    const at = `${path}.${name}`;
    if (after[name] === undefined) return `${at} is gone`;
    const both = { older: fieldsOf(field), newer: fieldsOf(after[name]) };
    return compare({ path: at, isInbound, added, ...both });
  });
}

/**
 * Alternatives stay: references in any order, others at their places. A new outbound alternative is broken,
 * unless it is a message of its own, which a host ignores.
 */
function compareAlternatives({ path, isInbound, added, older, newer }: Pair): readonly string[] {
  const [before, after] = [older, newer].map(({ oneOf, anyOf }) => oneOf ?? anyOf ?? []) as [
    Fields[],
    Fields[],
  ];
  if (before.length === 0) return after.length === 0 ? [] : [`${path} has alternatives`];
  const isNew = after.length > before.length && after.some(({ $ref }) => $ref === undefined);
  const broken = before.flatMap((alternative, index) => {
    const at = `${path}/${index}`;
    const same = after.find(({ $ref }) => $ref !== undefined && $ref === alternative["$ref"]);
    const match = same ?? after[index];
    if (match === undefined) return `${at} is gone`;
    return compare({ path: at, isInbound, added, older: alternative, newer: match });
  });
  return isNew && !isInbound ? [...broken, `${path} has another alternative`] : broken;
}

/** References, items and the values of maps. */
function compareInner({ path, isInbound, added, older, newer }: Pair): readonly string[] {
  const isOther = older["$ref"] !== undefined && older["$ref"] !== newer["$ref"];
  const inner = [
    ["items", "[]"],
    ["additionalProperties", "{}"],
  ].flatMap(([name = "", suffix]) => {
    const both = { older: fieldsOf(older[name]), newer: fieldsOf(newer[name]) };
    const isAnywhere = Object.values(both).some((schema) => Object.keys(schema).length > 0);
    return isAnywhere ? compare({ path: `${path}${suffix}`, isInbound, added, ...both }) : [];
  });
  return isOther ? [`${path} is not ${older["$ref"]}`, ...inner] : inner;
}
