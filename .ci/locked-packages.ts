/** The npm packages in `bun.lock`. */
import { readFileSync } from "node:fs";
import { z } from "zod";

/** A locked package. Its key is its name, after the names of the packages in whose folders it is. */
export type LockedPackage = {
  readonly name: string;
  readonly version: string;
  /** SHA-512 of its tarball in the registry, in hexadecimal. */
  readonly sha512: string;
  /** The keys of the packages of the file that it needs, or uses if they fit. */
  readonly dependencies: readonly string[];
};

const Names = z.record(z.string(), z.string()).default({});
const Entry = z.tuple([
  z.string(),
  z.string(),
  z.object({ dependencies: Names, optionalDependencies: Names, peerDependencies: Names }),
  z.string().startsWith("sha512-"),
]);
const Lockfile = z.object({ packages: z.record(z.string(), Entry) });

let packages: z.infer<typeof Lockfile>["packages"] | undefined;

/** Throws for an unknown key. */
export function lockedPackage(key: string): LockedPackage {
  packages ??= Lockfile.parse(Bun.JSONC.parse(readFileSync("bun.lock", "utf8"))).packages;
  const known = packages;
  const entry = known[key];
  if (entry === undefined) throw new Error(`bun.lock has no ${key}`);
  const [id, , info, integrity] = entry;
  const end = id.lastIndexOf("@");
  const needed = { ...info.dependencies, ...info.optionalDependencies, ...info.peerDependencies };
  return {
    name: id.slice(0, end),
    version: id.slice(end + 1),
    sha512: Buffer.from(integrity.slice("sha512-".length), "base64").toString("hex"),
    dependencies: Object.keys(needed).flatMap(
      (name) => keysFrom(key, name).find((one) => one in known) ?? [],
    ),
  };
}

/** The keys under which a package looks for another one: first in its own folder, last in the project's. */
function keysFrom(key: string, name: string): readonly string[] {
  if (key === "") return [name];
  const outer = key.replace(/(?:^|\/)(?:@[^/]+\/)?[^/]+$/, "");
  return [`${key}/${name}`, ...keysFrom(outer, name)];
}

/**
 * The packages of these keys and all packages that they need, at any depth, by name and version, each once.
 */
export function lockedClosure(keys: readonly string[]): readonly LockedPackage[] {
  const visited = new Set<string>();
  const found = new Map<string, LockedPackage>();
  const visit = (key: string) => {
    if (visited.has(key)) return;
    visited.add(key);
    const one = lockedPackage(key);
    const id = `${one.name} ${one.version}`;
    const others = found.get(id)?.dependencies ?? [];
    found.set(id, { ...one, dependencies: [...new Set([...others, ...one.dependencies])] });
    one.dependencies.forEach(visit);
  };
  keys.forEach(visit);
  return [...found.keys()].sort().flatMap((id) => found.get(id) ?? []);
}
