/** The workflow that publishes a release. */
import { expect, test } from "bun:test";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { CHECKSUMS, formatChecksums, sha256 } from "../../.ci/release-files.ts";
import packageJson from "../../package.json" with { type: "json" };
import { runCommand } from "../testing/drivers/ended-command.ts";
import { document, section } from "./support/markdown.ts";

/** Exact, so that a right or a setting that is new is looked at here. */
const Step = z.union([
  z.strictObject({
    uses: z.string(),
    with: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
  }),
  z.strictObject({
    run: z.string(),
    "working-directory": z.string().optional(),
    env: z.record(z.string(), z.string()).optional(),
  }),
]);
const Job = z.strictObject({
  if: z.string().optional(),
  needs: z.string().optional(),
  environment: z.string().optional(),
  "runs-on": z.string(),
  "timeout-minutes": z.number(),
  permissions: z.record(z.string(), z.string()),
  steps: z.array(Step),
});
const Workflow = z.strictObject({
  name: z.string(),
  on: z.strictObject({ workflow_dispatch: z.null() }),
  permissions: z.strictObject({}),
  concurrency: z.record(z.string(), z.union([z.string(), z.boolean()])),
  defaults: z.strictObject({ run: z.strictObject({ shell: z.literal("bash") }) }),
  jobs: z.record(z.string(), Job),
});

const WORKFLOW_TEXT = document(".github/workflows/release.yml");
const { jobs } = Workflow.parse(Bun.YAML.parse(WORKFLOW_TEXT));
const commandsOf = ({ steps }: z.infer<typeof Job>) =>
  steps.flatMap((step) => ("run" in step ? [step.run] : []));

test("only the job that a person approves may write, and it runs no code of the repository or of npm", () => {
  const writing = Object.entries(jobs).filter(([, { permissions }]) =>
    Object.values(permissions).includes("write"),
  );
  expect(writing.map(([name]) => name)).toEqual(["publish"]);
  const { publish } = jobs;
  expect(publish).toMatchObject({ environment: "release", needs: "rebuild" });
  expect(JSON.stringify(publish)).not.toMatch(/checkout|npm (?:install|run|ci)|npx/);
  const others = Object.values(jobs).filter((job) => job !== publish);
  for (const { permissions } of others) expect(permissions).toEqual({ contents: "read" });
});

test("each action is pinned by a commit, with its version beside it", () => {
  const uses = [...WORKFLOW_TEXT.matchAll(/uses: (.*)/g)].map(([, used = ""]) => used);
  expect(uses.length).toBeGreaterThan(5);
  expect(
    uses.filter((used) => !/^actions\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(used)),
  ).toEqual([]);
});

test("the commands of the workflow are correct in bash, and each script of npm exists", () => {
  const commands = Object.values(jobs).flatMap(commandsOf);
  const { exitCode, stderr } = Bun.spawnSync(["bash", "-n", "-c", commands.join("\n")]);
  expect({ exitCode, stderr: stderr.toString() }).toEqual({ exitCode: 0, stderr: "" });
  const named = [...commands.join("\n").matchAll(/npm run (\w+)/g)].map(([, name = ""]) => name);
  expect(new Set(named)).toEqual(new Set(["release"]));
  expect(Object.keys(packageJson.scripts)).toContain("release");
});

test("a published release was built, built again to the same bytes, and attested", () => {
  const [build = [], rebuild = [], publish = []] = ["build", "rebuild", "publish"].map((name) => {
    const job = jobs[name];
    return job === undefined ? [] : commandsOf(job);
  });
  expect(build).toContain("npm run release");
  expect(rebuild.join()).toContain("diff ../../release/SHA256SUMS dist/release/SHA256SUMS");
  expect(publish).toContain("npm publish --provenance --access public ./release/tugtalk-*.tgz");
  expect(WORKFLOW_TEXT).toContain("subject-checksums: release/SHA256SUMS");
});

/** Reaches no registry. */
const PUBLISH = [
  "npm",
  "publish",
  "--dry-run",
  "--registry=http://127.0.0.1:9",
  "--fetch-retries=0",
];

test("npm publishes no folder, and the tarball of a release", async () => {
  const folder = mkdtempSync(join(tmpdir(), "release-"));
  const { name, version, scripts } = packageJson;
  const manifest = JSON.stringify({ name, version, scripts });
  writeFileSync(join(folder, "package.json"), manifest);
  await Bun.Archive.write(join(folder, "it.tgz"), { "package/package.json": manifest });
  const publish = (what: string) => runCommand([...PUBLISH, what], { cwd: folder });
  const refused = await publish(".");
  expect(refused.code).toBe(1);
  expect(refused.err).toContain(
    "refused: npm run release makes dist/release/tugtalk-<version>.tgz",
  );
  expect(await publish("./it.tgz")).toMatchObject({ code: 0, out: `+ ${name}@${version}\n` });
});

test("each build installs the packages of bun.lock by its own version of Bun, into an empty folder", () => {
  const scripts = ["build", "rebuild"].map((name) => {
    const job = jobs[name];
    return job === undefined ? "" : commandsOf(job).join("\n");
  });
  for (const script of scripts) {
    const installing = script.match(/.*\binstall\b.*/g)?.map((line) => line.trim());
    expect(installing).toEqual([
      `npm install --prefix "$RUNNER_TEMP/bun" bun@${packageJson.dependencies.bun}`,
      '"$RUNNER_TEMP/bun/node_modules/.bin/bun" install --frozen-lockfile',
    ]);
    expect(script).not.toContain("npx");
  }
});

test("the job that publishes refuses a file that is another one, one that is missing and one that is not listed", () => {
  const cwd = mkdtempSync(join(tmpdir(), "release-"));
  const [check = "exit 9"] = jobs["publish"] === undefined ? [] : commandsOf(jobs["publish"]);
  const exitCode = (...names: readonly string[]) => {
    const hashes = new Map(names.map((name) => [name, sha256(Buffer.from(name))]));
    writeFileSync(join(cwd, CHECKSUMS), formatChecksums(hashes));
    return Bun.spawnSync(["bash", "-eo", "pipefail", "-c", check], { cwd }).exitCode;
  };
  for (const name of ["a-b", "a.c", "B"]) writeFileSync(join(cwd, name), name);
  expect(exitCode("B", "a-b", "a.c")).toBe(0);
  expect(exitCode("B", "a-b")).toBe(1);
  expect(exitCode("B", "a-b", "a.c", "d")).toBe(1);
  writeFileSync(join(cwd, "B"), "another");
  expect(exitCode("B", "a-b", "a.c")).toBe(1);
});

test("the first step of a release makes the environment of the workflow, with reviewers", () => {
  const [first = ""] = /^1\. .*/m.exec(section(document("CONTRIBUTING.md"), "## Release")) ?? [];
  expect(first).toContain(`environment \`${jobs["publish"]?.environment}\``);
  expect(first).toContain("required reviewers");
});
