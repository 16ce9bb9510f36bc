/** Which packages may hold Bun. */
import { expect, test } from "bun:test";
import bun from "bun/package.json" with { type: "json" };
import { bunPackages, type Machine } from "../bun-packages.ts";

const MACHINES: readonly (readonly [Machine, readonly string[]])[] = [
  [{ platform: "linux", arch: "arm64", isMusl: false }, ["@oven/bun-linux-aarch64"]],
  [
    { platform: "linux", arch: "arm64", isMusl: true },
    ["@oven/bun-linux-aarch64-musl", "@oven/bun-linux-aarch64"],
  ],
  [
    { platform: "linux", arch: "x64", isMusl: false },
    ["@oven/bun-linux-x64", "@oven/bun-linux-x64-baseline"],
  ],
  [
    { platform: "linux", arch: "x64", isMusl: true },
    [
      "@oven/bun-linux-x64-musl",
      "@oven/bun-linux-x64",
      "@oven/bun-linux-x64-musl-baseline",
      "@oven/bun-linux-x64-baseline",
    ],
  ],
  [{ platform: "android", arch: "arm64", isMusl: false }, ["@oven/bun-linux-aarch64-android"]],
  [{ platform: "darwin", arch: "arm64", isMusl: false }, ["@oven/bun-darwin-aarch64"]],
  [
    { platform: "win32", arch: "x64", isMusl: false },
    ["@oven/bun-windows-x64", "@oven/bun-windows-x64-baseline"],
  ],
  [{ platform: "linux", arch: "riscv64", isMusl: false }, []],
  [{ platform: "sunos", arch: "x64", isMusl: false }, []],
];

test.each([...MACHINES])("%j gets Bun from %j", (machine, packages) => {
  expect(bunPackages(machine)).toEqual([...packages]);
});

test("the first name for a machine is one of the packages of Bun, and each of those is found", () => {
  const platforms = ["linux", "android", "darwin", "freebsd", "win32"];
  const machines = platforms.flatMap((platform) =>
    ["x64", "arm64"].flatMap((arch) => [false, true].map((isMusl) => ({ platform, arch, isMusl }))),
  );
  const found = machines.map((machine) => bunPackages(machine)[0] ?? "");
  const known = Object.keys(bun.optionalDependencies);
  expect(found.filter((name) => !known.includes(name))).toEqual([]);
  expect(known.filter((name) => !found.includes(name))).toEqual([]);
});
