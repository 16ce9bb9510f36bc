/**
 * Reads the declared message kinds and control requests from a TypeScript declaration file. Supports
 * the parts of the language that describe plain data: aliases, objects, unions, intersections and
 * literals. Anything else is an error, so that no kind is missed.
 */

/** What a declaration file declares, sorted: messages as `type` or `type/subtype`, requests by subtype. */
export type DeclaredKinds = {
  readonly messages: readonly string[];
  readonly requests: readonly string[];
};

/** The unions of all printed messages and of all control requests. */
const MESSAGE_ROOTS = ["SDKMessage", "StdoutMessage"];
const REQUEST_ROOT = "SDKControlRequestInner";

type Aliases = ReadonlyMap<string, string>;

/** The literal types of the members `type` and `subtype`, if an object has them. */
type Kind = { readonly type?: readonly string[]; readonly subtype?: readonly string[] };

/** All kinds that the text declares. Throws if a root or a referenced type is missing. */
export function declaredKinds(text: string): DeclaredKinds {
  const aliases = readAliases(withoutComments(text));
  const rooted = MESSAGE_ROOTS.flatMap((root) => kindsOfName(root, aliases));
  const strays = [...aliases.values()].flatMap((body) => strayKinds(body, aliases));
  const isMessage = ({ type }: Kind) => type !== undefined;
  const messages = [...rooted, ...strays.filter(isMessage)].flatMap(messageNames);
  const requests = [...kindsOfName(REQUEST_ROOT, aliases), ...strayRequests(aliases)].flatMap(
    ({ subtype }) => subtype ?? [],
  );
  return { messages: sorted(messages), requests: sorted(requests) };
}

function sorted(names: readonly string[]): string[] {
  return [...new Set(names)].sort();
}

function messageNames({ type = [], subtype }: Kind): string[] {
  return type.flatMap((name) =>
    (subtype ?? [""]).map((sub) => (sub === "" ? name : `${name}/${sub}`)),
  );
}

/** Every `system` message counts, even outside of the unions. */
function strayKinds(body: string, aliases: Aliases): Kind[] {
  if (!body.startsWith("{")) return [];
  const kind = kindOfObject(body, aliases);
  return kind.type?.includes("system") === true && kind.subtype !== undefined ? [kind] : [];
}

/** Every `SDK…Request` with a subtype counts too. */
function strayRequests(aliases: Aliases): Kind[] {
  return [...aliases].flatMap(([name, body]) => {
    if (!/^SDK\w*Request$/.test(name) || !body.startsWith("{")) return [];
    const kind = kindOfObject(body, aliases);
    return kind.type === undefined && kind.subtype !== undefined ? [kind] : [];
  });
}

function kindsOfName(name: string, aliases: Aliases): Kind[] {
  const body = aliases.get(name);
  if (body === undefined) throw new Error(`the declarations have no type ${name}`);
  return kindsOfType(body, aliases);
}

function kindsOfType(body: string, aliases: Aliases): Kind[] {
  const members = splitAtTop(body, "|");
  if (members.length > 1) return members.flatMap((member) => kindsOfType(member, aliases));
  const parts = splitAtTop(body, "&");
  if (parts.length > 1) return [merged(parts.flatMap((part) => kindsOfType(part, aliases)))];
  const [member = ""] = members;
  if (member.startsWith("{")) return [kindOfObject(member, aliases)];
  if (member.startsWith("(")) return kindsOfType(member.slice(1, -1), aliases);
  return kindsOfName(member.replace(/^\w+\./, ""), aliases);
}

function merged(kinds: readonly Kind[]): Kind {
  return Object.assign({}, ...kinds);
}

function kindOfObject(body: string, aliases: Aliases): Kind {
  const type = literalsOf(body, "type", aliases);
  const subtype = literalsOf(body, "subtype", aliases);
  return { ...(type !== undefined && { type }), ...(subtype !== undefined && { subtype }) };
}

/** The literal types of one member of an object; undefined if it has none. */
function literalsOf(body: string, key: string, aliases: Aliases): string[] | undefined {
  const member = splitAtTop(body.slice(1, -1), ";")
    .map((text) => new RegExp(`^(?:readonly )?['"]?${key}['"]?\\??:(.*)$`, "s").exec(text)?.[1])
    .find((text) => text !== undefined);
  return member === undefined ? undefined : literalsIn(member, aliases);
}

function literalsIn(text: string, aliases: Aliases): string[] | undefined {
  const literals = splitAtTop(text, "|").flatMap((part) => {
    const quoted = /^'([^']*)'$|^"([^"]*)"$/.exec(part);
    if (quoted !== null) return [quoted[1] ?? quoted[2] ?? ""];
    const alias = aliases.get(part.replace(/^\w+\./, ""));
    return alias === undefined ? [] : (literalsIn(alias, aliases) ?? []);
  });
  return literals.length === 0 ? undefined : literals;
}

const OPENING = "{[(<";
const CLOSING = "}])>";

/** Name and body of every `type X = …;` and `interface X {…}` without type parameters. */
function readAliases(text: string): Aliases {
  const found = [...text.matchAll(/\b(?:type\s+(\w+)\s*=|interface\s+(\w+)[^{]*(?=\{))/g)];
  return new Map(
    found.map((match) => {
      const start = match.index + match[0].length;
      const [type, name = ""] = match.slice(1);
      const isObject = type === undefined;
      const end = endOfBody(text, start, isObject);
      return [type ?? name, splitAtTop(text.slice(start, end), "|").join(" | ")];
    }),
  );
}

function endOfBody(text: string, start: number, isObject: boolean): number {
  for (const { at, char, depth } of characters(text, start)) {
    if (depth === 0 && char === ";") return at;
    if (isObject && depth === 0 && char === "}") return at + 1;
  }
  return text.length;
}

/** The trimmed, non-empty parts between separators outside of brackets and strings. */
function splitAtTop(text: string, separator: string): string[] {
  const cuts = [...characters(text, 0)].filter(
    ({ char, depth }) => depth === 0 && char === separator,
  );
  const starts = [0, ...cuts.map(({ at }) => at + 1)];
  return starts
    .map((start, index) => text.slice(start, cuts[index]?.at).trim())
    .filter((part) => part !== "");
}

/** The characters outside of strings, each with its bracket depth. The `>` of `=>` is no bracket. */
function* characters(text: string, start: number) {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === "'" || char === '"' || char === "`") {
      at = endOfString(text, at);
      continue;
    }
    if (CLOSING.includes(char) && text.charAt(at - 1) !== "=") depth -= 1;
    yield { at, char, depth };
    if (OPENING.includes(char)) depth += 1;
  }
}

function endOfString(text: string, start: number): number {
  const quote = text.charAt(start);
  for (let at = start + 1; at < text.length; at += 1) {
    if (text.charAt(at) === "\\") at += 1;
    else if (text.charAt(at) === quote) return at;
  }
  return text.length;
}

/** The text without comments. Strings are matched first, so that a slash in one starts no comment. */
function withoutComments(text: string): string {
  return text.replace(
    /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g,
    (found) => (found.startsWith("/") ? " " : found),
  );
}
