/** The packages that may hold Bun for a machine, by the names that the package `bun` uses. */

/** A machine, in the words of Node. */
export type Machine = {
  readonly platform: string;
  readonly arch: string;
  /** Linux with the C library musl. */
  readonly isMusl: boolean;
};

const SYSTEMS: Readonly<Record<string, string>> = {
  darwin: "darwin",
  linux: "linux",
  android: "linux",
  freebsd: "freebsd",
  win32: "windows",
};

const PROCESSORS: Readonly<Record<string, string>> = { arm64: "aarch64", x64: "x64" };

/** The names of the packages for a machine, the best first; none for a machine without a Bun. */
export function bunPackages(machine: Machine): readonly string[] {
  const system = SYSTEMS[machine.platform];
  const processor = PROCESSORS[machine.arch];
  if (system === undefined || processor === undefined) return [];
  const names = librariesOf(machine).map((library) => `@oven/bun-${system}-${processor}${library}`);
  // A build for processors without AVX2.
  const older = processor === "x64" ? names.map((name) => `${name}-baseline`) : [];
  return [...names, ...older];
}

/** A glibc build may run with musl too, where a compatibility layer is installed. */
function librariesOf({ platform, isMusl }: Machine): readonly string[] {
  if (platform === "android") return ["-android"];
  return platform === "linux" && isMusl ? ["-musl", ""] : [""];
}
