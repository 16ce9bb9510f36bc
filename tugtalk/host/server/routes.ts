/** Maps a method and a path to a command. Pure. */
import type { HostRoute } from "../../client/host-routes.ts";

export type RouteTable<Name extends string> = Readonly<Record<Name, HostRoute>>;

/**
 * The command of a path with the fields in the path, or the methods that the path has instead, or nothing.
 */
export type Routed<Name> =
  | { readonly name: Name; readonly fields: Readonly<Record<string, string>> }
  | { readonly allow: readonly string[] }
  | undefined;

export class Routes<Name extends string> {
  readonly #routes: readonly { name: Name; method: string; parts: readonly string[] }[];

  constructor(table: RouteTable<Name>) {
    const names = Object.keys(table) as Name[]; // The keys of a table are its names.
    this.#routes = names.map((name) => {
      const { method, path } = table[name];
      return { name, method, parts: path.split("/") };
    });
  }

  find(method: string, path: string): Routed<Name> {
    const parts = path.split("/");
    const onPath = this.#routes.flatMap((route) => {
      const fields = fieldsOf(route.parts, parts);
      return fields === undefined ? [] : [{ ...route, fields }];
    });
    const route = onPath.find((candidate) => candidate.method === method);
    if (route !== undefined) return { name: route.name, fields: route.fields };
    return onPath.length === 0 ? undefined : { allow: onPath.map((other) => other.method) };
  }
}

/** The values of the parts that begin with a colon; undefined if the path differs. */
function fieldsOf(
  route: readonly string[],
  path: readonly string[],
): Readonly<Record<string, string>> | undefined {
  if (route.length !== path.length) return undefined;
  const fields: Record<string, string> = {};
  for (const [index, part] of route.entries()) {
    const given = path[index] ?? "";
    if (!part.startsWith(":")) {
      if (part !== given) return undefined;
      continue;
    }
    const value = decoded(given);
    if (value === undefined || value === "") return undefined;
    fields[part.slice(1)] = value;
  }
  return fields;
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined; // No path of ours has such a part.
  }
}
