/**
 * Reads the declared message kinds and control requests from a TypeScript declaration file: from objects,
 * and from unions and intersections of them and of names. Anything else is an error, so that no kind is
 * missed.
 */

/** The kinds in a declaration file, sorted: messages as `type` or `type/subtype`, requests by subtype. */
export type DeclaredKinds = {
  readonly messages: readonly string[];
  readonly requests: readonly string[];
};

/** The unions of all printed messages and of all control requests. */
const MESSAGE_ROOTS = ["SDKMessage", "StdoutMessage"];
const REQUEST_ROOT = "SDKControlRequestInner";

/** The literal types of the members `type` and `subtype`, if an object has them. */
type Kind = { readonly type?: readonly string[]; readonly subtype?: readonly string[] };

/** All kinds that the text declares. Throws if a root or a referenced type is missing. */
export function declaredKinds(text: string): DeclaredKinds {
  const declarations = new Declarations(text);
  const messages = MESSAGE_ROOTS.flatMap((root) => declarations.kindsOf(root));
  const requests = declarations.kindsOf(REQUEST_ROOT);
  // Every `system` message and every `SDK…Request` counts, even outside of the unions.
  for (const [name, kind] of declarations.objects()) {
    if (kind.type?.includes("system") && kind.subtype !== undefined) messages.push(kind);
    if (/^SDK\w*Request$/.test(name) && kind.type === undefined) requests.push(kind);
  }
  return {
    messages: sorted(messages.flatMap(namesOf)),
    requests: sorted(requests.flatMap(({ subtype = [] }) => subtype)),
  };
}

class Declarations {
  /** The members of each object. */
  readonly #members: string[] = [];
  /** The type of each name; an object stands as its number: `#7`. */
  readonly #aliases: ReadonlyMap<string, string>;

  constructor(text: string) {
    let flat = withoutNoise(text);
    for (let before = ""; before !== flat; ) {
      before = flat;
      flat = flat
        .replace(/<[^<>{}()]*>|\[[^[\]{}()]*\]/g, "")
        .replace(/\((#[\d# |&]*)\)/g, "$1")
        .replace(/\([^(){}]*\)/g, "")
        .replace(/\{([^{}]*)\}/g, (_, members: string) => `#${this.#members.push(members) - 1} `);
    }
    const types = flat.matchAll(/\btype (\w+) =([^;]*);/g);
    const interfaces = flat.matchAll(/\binterface (\w+)[^#;]*(#\d+)/g);
    this.#aliases = new Map(
      [...types, ...interfaces].map(([, name = "", body = ""]) => [name, body.trim()]),
    );
  }

  /** The kinds of a type. */
  kindsOf(name: string): Kind[] {
    const body = this.#aliases.get(name);
    if (body === undefined) throw new Error(`the declarations have no type ${name}`);
    return partsOf(body, "|").flatMap((member) => {
      const parts = partsOf(member, "&");
      const kinds = parts.flatMap((part) => this.#kindsOfPart(part));
      return parts.length > 1 ? [Object.assign({}, ...kinds)] : kinds;
    });
  }

  /** The types that are one object. */
  objects(): [name: string, kind: Kind][] {
    return [...this.#aliases].flatMap(([name, body]) =>
      /^#\d+$/.test(body)
        ? this.#kindsOfPart(body).map((kind): [string, Kind] => [name, kind])
        : [],
    );
  }

  #kindsOfPart(part: string): Kind[] {
    if (!part.startsWith("#")) return this.kindsOf(nameIn(part));
    const members = this.#members[Number(part.slice(1))] ?? "";
    const [type, subtype] = ["type", "subtype"].map((key) => this.#literalsOf(members, key));
    return [{ ...(type?.length && { type }), ...(subtype?.length && { subtype }) }];
  }

  /** The literal types of one member of an object. */
  #literalsOf(members: string, key: string): string[] {
    const member = new RegExp(`(?:^|;)\\s*(?:readonly )?${key}\\??:([^;]*)`).exec(members);
    return this.#literalsIn(member?.[1] ?? "");
  }

  #literalsIn(body: string): string[] {
    return partsOf(body, "|").flatMap((part) => {
      const literal = /^'(.*)'$/.exec(part)?.[1];
      if (literal !== undefined) return [literal];
      return this.#literalsIn(this.#aliases.get(nameIn(part)) ?? "");
    });
  }
}

const nameIn = (reference: string) => reference.replace(/^\w+\./, "");

function sorted(names: readonly string[]): string[] {
  return [...new Set(names)].sort();
}

function namesOf({ type = [], subtype = [""] }: Kind): string[] {
  return type.flatMap((name) => subtype.map((sub) => (sub === "" ? name : `${name}/${sub}`)));
}

function partsOf(body: string, separator: string): string[] {
  const parts = body.split(separator).map((part) => part.trim());
  return parts.filter((part) => part !== "");
}

/**
 * The text without comments, arrows, and the content of strings that name no kind. Strings are matched first.
 */
function withoutNoise(text: string): string {
  return text
    .replace(
      /'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`(?:[^`\\]|\\.)*`|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g,
      (_found, one?: string, other?: string) => {
        const content = one ?? other;
        if (content === undefined) return " ";
        return /^[\w ]*$/.test(content) ? `'${content}'` : "''";
      },
    )
    .replaceAll("=>", " ");
}
