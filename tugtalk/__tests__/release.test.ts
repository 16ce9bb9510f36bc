/** The parts of a release that can be judged without building one. */
import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { signed, wrongPages } from "../../.ci/mac-signature.ts";
import { binaryName } from "../../.ci/release-binaries.ts";
import { CHECKSUMS, formatChecksums, parseChecksums } from "../../.ci/release-files.ts";
import { placeOf } from "../../.ci/release-place.ts";
import { releaseProblems } from "../../.ci/release-verify.ts";
import packageJson from "../../package.json" with { type: "json" };
import { parseHostFlags } from "../host/host-flags.ts";
import { runCommand } from "../testing/drivers/ended-command.ts";
import { document, ROOT, section } from "./support/markdown.ts";

test("a release needs a repository and a contact, and says which of them is missing", () => {
  const fields = (url: string, email: string) => ({ repository: { url }, bugs: { email } });
  expect(placeOf(fields("git+https://git.example/it.git", "it@mail.example"))).toEqual({
    repository: "https://git.example/it.git",
    contact: "it@mail.example",
  });
  expect(placeOf(fields("", "it@mail.example"))).toEqual({
    missing: "fill in repository.url of package.json: it is a part of a release",
  });
  expect(placeOf(fields("", ""))).toEqual({
    missing: "fill in repository.url and bugs.email of package.json: they are a part of a release",
  });
  expect(() => placeOf(packageJson)).not.toThrow();
});

test("a list of checksums is read as it is written, and lines of another form are left out", () => {
  const hashes = new Map([
    ["one.txt", "a".repeat(64)],
    ["other.txt", "0".repeat(64)],
  ]);
  const text = formatChecksums(hashes);
  expect(parseChecksums(text)).toEqual(hashes);
  expect([...parseChecksums(text.replace("aaa", "aaX")).keys()]).toEqual(["other.txt"]);
});

const PAGE = 4096;
const COMMANDS = [
  { command: 0x19, name: "__TEXT", fileStart: 0, fileSize: PAGE },
  { command: 0x19, name: "__LINKEDIT", fileStart: PAGE, fileSize: 2 * PAGE },
];

/** A made-up Mach-O file of three pages, with an empty signature of one page at its end. */
function executable(): Buffer {
  const file = Buffer.alloc(3 * PAGE, 7);
  file.fill(0, 0, 512);
  file.writeUInt32LE(COMMANDS.length + 1, 16);
  COMMANDS.forEach(({ command, name, fileStart, fileSize }, index) => {
    const at = 32 + index * 72;
    file.writeUInt32LE(command, at);
    file.writeUInt32LE(72, at + 4);
    file.write(name, at + 8, "latin1");
    file.writeBigUInt64LE(BigInt(fileStart), at + 40);
    file.writeBigUInt64LE(BigInt(fileSize), at + 48);
  });
  const at = 32 + COMMANDS.length * 72;
  [0x1d, 16, 2 * PAGE, PAGE].forEach((number, index) => {
    file.writeUInt32LE(number, at + index * 4);
  });
  return file;
}

test("the signature for macOS covers every page, ends with the file, and shows which page was changed", () => {
  const file = signed(executable(), "it");
  expect(wrongPages(file)).toBe(0);
  const linkEdit = 32 + 72;
  expect(PAGE + Number(file.readBigUInt64LE(linkEdit + 48))).toBe(file.length);
  const commandOfSignature = linkEdit + 72;
  const start = file.readUInt32LE(commandOfSignature + 8);
  expect(start + file.readUInt32LE(commandOfSignature + 12)).toBe(file.length);
  file[PAGE + 1] = 8;
  expect(wrongPages(file)).toBe(1);
});

test("a signed executable is signed again to the same bytes", () => {
  const once = signed(executable(), "it");
  expect(signed(once, "it").equals(once)).toBe(true);
});

test("a check of a release finds a binary for macOS with pages that its signature does not have", async () => {
  const folder = mkdtempSync(join(tmpdir(), "release-"));
  const name = binaryName("darwin-x64");
  const file = signed(executable(), "it");
  writeFileSync(join(folder, name), file);
  const refused = `macOS refuses ${name}: 1 of its pages are not those that were signed`;
  expect(await releaseProblems(folder)).not.toContain(refused);
  file[PAGE + 1] = 8;
  writeFileSync(join(folder, name), file);
  expect(await releaseProblems(folder)).toContain(refused);
});

test.each(["missing", "."])(
  "a check of a folder without a release says so in one line: %s",
  async (name) => {
    const folder = join(mkdtempSync(join(tmpdir(), "release-")), name);
    const command = [process.execPath, ".ci/release.ts", "verify", folder];
    expect(await runCommand(command, { cwd: ROOT })).toEqual({
      code: 1,
      out: "",
      err: `release: ${folder} is no release: it has no SHA256SUMS\n`,
    });
  },
);

test("a check of a release finds a file in a folder in it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "release-"));
  mkdirSync(join(folder, "more"));
  writeFileSync(join(folder, "more", CHECKSUMS), "");
  expect(await releaseProblems(folder)).toContain(`${CHECKSUMS} has no more/${CHECKSUMS}`);
});

const CONTAINERFILE = document("Containerfile");

/** The words after an instruction, with continued lines as one. */
function instructions(name: string): string[] {
  const lines = CONTAINERFILE.replaceAll(/^#.*\n/gm, "")
    .replaceAll("\\\n", "")
    .split("\n");
  return lines.flatMap((line) =>
    line.startsWith(`${name} `) ? [line.slice(name.length + 1)] : [],
  );
}

test("the container image has each instruction in a known form, and fetches nothing by URL", () => {
  const known = /^(?:ARG|FROM|RUN|COPY|USER|WORKDIR|VOLUME|EXPOSE|ENTRYPOINT|CMD) |^$/;
  const lines = CONTAINERFILE.replaceAll(/^#.*\n/gm, "")
    .replaceAll("\\\n", "")
    .split("\n");
  expect(lines.filter((line) => !known.test(line))).toEqual([]);
  expect(CONTAINERFILE).not.toMatch(/https?:/);
});

test("the container image runs a binary of the release as a user without rights, and the host takes its words", () => {
  expect(instructions("ARG")).toContain(`BINARY=${binaryName("linux-x64")}`);
  expect(CONTAINERFILE).toContain(`--build-arg BINARY=${binaryName("linux-arm64")}`);
  expect(instructions("USER")).toEqual(["10001:10001"]);
  expect(instructions("ENTRYPOINT")).toEqual(['["tugtalk"]']);
  const [command = ""] = instructions("CMD");
  const [word, ...flags] = z.array(z.string()).parse(JSON.parse(command));
  expect(word).toBe("host");
  const parsed = parseHostFlags(flags, {}, "/");
  expect(parsed).toMatchObject({ flags: { port: 7717, data: "/data", dir: "/projects" } });
  const [volumes = ""] = instructions("VOLUME");
  expect(JSON.parse(volumes)).toEqual(["/data", "/home/tugtalk", "/projects"]);
});

test("CHANGELOG.md has the version of package.json, and says what 1.0 promises", () => {
  const changes = document("CHANGELOG.md");
  expect(changes).toContain(`\n## ${packageJson.version}\n`);
  const promises = section(changes, "## What 1.0 promises");
  const entries = Object.keys(packageJson.exports).map((path) => path.replace(".", "tugtalk"));
  expect(entries.filter((entry) => !promises.includes(`\`${entry}\``))).toEqual([]);
});

test("SECURITY.md leads to the contact of package.json, and repeats it nowhere", () => {
  const text = document("SECURITY.md");
  expect(text).toContain("`bugs.email` of `package.json`");
  expect(text).not.toMatch(/\S+@\S+\.\w+/);
});

/** Ids that the service gives to messages are longer. */
const SCRIPTED_ID = /^msg_(?:01Mock\w{1,12}|\w{1,6})$/;

test("each message of a model in the recordings was scripted, and none of them has a key", () => {
  const files = [...new Bun.Glob("tugtalk/**/*.jsonl").scanSync(ROOT)].filter(
    (path) => !path.includes("/node_modules/"),
  );
  expect(files.length).toBeGreaterThan(200);
  const texts = files.map(document);
  const found = (pattern: RegExp) =>
    new Set(texts.flatMap((text) => [...text.matchAll(pattern)].map(([, value = ""]) => value)));
  const ids = [...found(/"id":"(msg_\w+)"/g)];
  expect(ids.length).toBeGreaterThan(100);
  expect(ids.filter((id) => !SCRIPTED_ID.test(id))).toEqual([]);
  expect([...found(/"apiKeySource":"(\w+)"/g)]).toEqual(["ANTHROPIC_API_KEY"]);
  expect([...found(/(sk-ant-\w+)/g)]).toEqual([]);
});
