/** A release lists the packages of `bun.lock`, and all packages that they need. */
import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cachedBytes, changedFiles } from "../../.ci/locked-files.ts";
import { lockedClosure } from "../../.ci/locked-packages.ts";
import { failureOf } from "../testing/drivers/failure.ts";

test("a cached package is taken by its hash: another one is fetched again, and a wrong one is not kept", async () => {
  const folder = mkdtempSync(join(tmpdir(), "release-"));
  const path = join(folder, "it.tgz");
  const sha512 = new Bun.CryptoHasher("sha512").update("right").digest("hex");
  const fetched: string[] = [];
  const take = async (text: string) => {
    const bytes = await cachedBytes(path, sha512, async (draft) => {
      fetched.push(text);
      writeFileSync(join(draft, "fetched.tgz"), text);
      return "fetched.tgz";
    });
    return Buffer.from(bytes).toString();
  };
  expect((await failureOf(take("wrong"))).message).toContain("is not the package of bun.lock");
  expect(readdirSync(folder)).toEqual([]);
  writeFileSync(path, "half of it");
  expect([await take("right"), await take("right")]).toEqual(["right", "right"]);
  expect(fetched).toEqual(["wrong", "right"]);
  expect(readdirSync(folder)).toEqual(["it.tgz"]);
  expect(readFileSync(path, "utf8")).toBe("right");
});

test("an installed package is compared with the package of bun.lock: new and changed files are named", async () => {
  const folder = join(mkdtempSync(join(tmpdir(), "release-")), "node_modules/it");
  mkdirSync(join(folder, "lib"), { recursive: true });
  writeFileSync(join(folder, "lib/one.js"), "one");
  writeFileSync(join(folder, "two.js"), "two");
  const packed = (files: Readonly<Record<string, string>>) =>
    new Map(Object.entries(files).map(([path, text]) => [`package/${path}`, new Blob([text])]));
  const whole = { "lib/one.js": "one", "two.js": "two", "unused.js": "" };
  expect(await changedFiles(folder, packed(whole))).toEqual([]);
  expect(await changedFiles(folder, packed({ ...whole, "lib/one.js": "One" }))).toEqual([
    join(folder, "lib/one.js"),
  ]);
  expect(await changedFiles(folder, packed({ "lib/one.js": "one" }))).toEqual([
    join(folder, "two.js"),
  ]);
});

test("the packages that a package needs are found at any depth, each of them once", () => {
  const found = lockedClosure(["@modelcontextprotocol/sdk"]);
  const names = found.map(({ name }) => name);
  // The SDK needs express, which needs body-parser, which needs iconv-lite, which needs safer-buffer.
  expect(names).toEqual(expect.arrayContaining(["express", "iconv-lite", "safer-buffer"]));
  expect(names).toEqual(names.toSorted());
  const ids = found.map(({ name, version }) => `${name} ${version}`);
  expect(ids).toEqual([...new Set(ids)]);
});

test("a package that has a version of another one in its own folder needs that version", () => {
  const versionsOf = (key: string, name: string) =>
    lockedClosure([key]).flatMap((one) => (one.name === name ? [one.version] : []));
  // The content-type that everybody else shares is older than express takes.
  const [shared = ""] = versionsOf("content-type", "content-type");
  expect(Bun.semver.satisfies(shared, "^2.0.0")).toBe(false);
  const [own = "", ...others] = versionsOf("express", "content-type");
  expect(Bun.semver.satisfies(own, "^2.0.0")).toBe(true);
  expect(others).toEqual([]);
});
