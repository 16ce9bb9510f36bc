/** What `bun.lock` says of a package of npm. */
import { readFileSync } from "node:fs";
import { z } from "zod";

/** One of them. */
export type LockedPackage = {
  readonly name: string;
  readonly version: string;
  /** SHA-512 of its tarball in the registry, in hexadecimal. */
  readonly sha512: string;
  /** The packages of the file that it needs, or takes where they fit. */
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

/** Throws for a package that the file does not have. */
export function lockedPackage(name: string): LockedPackage {
  packages ??= Lockfile.parse(Bun.JSONC.parse(readFileSync("bun.lock", "utf8"))).packages;
  const entry = packages[name];
  if (entry === undefined) throw new Error(`bun.lock has no ${name}`);
  const [id, , info, integrity] = entry;
  const needed = { ...info.dependencies, ...info.optionalDependencies, ...info.peerDependencies };
  return {
    name,
    version: id.slice(name.length + 1),
    sha512: Buffer.from(integrity.slice("sha512-".length), "base64").toString("hex"),
    dependencies: Object.keys(needed).filter((other) => other in (packages ?? {})),
  };
}

/** These packages and all that they need, at any depth, in the order of names. */
export function lockedClosure(names: readonly string[]): readonly LockedPackage[] {
  const found = new Map<string, LockedPackage>();
  const visit = (name: string) => {
    if (found.has(name)) return;
    const one = lockedPackage(name);
    found.set(name, one);
    one.dependencies.forEach(visit);
  };
  names.forEach(visit);
  return [...found.keys()].sort().flatMap((name) => found.get(name) ?? []);
}
