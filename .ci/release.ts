/**
 * `npm run release`: builds all of a release in `dist/release`, and publishes nothing. `-- verify [folder]`
 * compares one with its checksums and its bill of materials. `--order=<file>`, with `start.order` of a
 * release, builds that one again, byte for byte. `--only=<platform>` may be repeated.
 */
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import manifest from "../package.json" with { type: "json" };
import { BundledPackage } from "./bundled-packages.ts";
import { checkInstalled } from "./locked-files.ts";
import { formatBill } from "./release-bill.ts";
import { buildBinaries, isPlatform, PLATFORMS } from "./release-binaries.ts";
import {
  BILL,
  CHECKSUMS,
  formatChecksums,
  hashFolder,
  hashPackage,
  RELEASE,
} from "./release-files.ts";
import { placeOf } from "./release-place.ts";
import { releaseProblems } from "./release-verify.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { order: { type: "string" }, only: { type: "string", multiple: true } },
});

async function main(): Promise<void> {
  const [word, folder = RELEASE] = positionals;
  if (word === "verify") return await verify(folder);
  if (word !== undefined) return fail([`unknown word ${word}`]);
  await build();
}

async function verify(folder: string): Promise<void> {
  if (!existsSync(join(folder, CHECKSUMS)))
    return fail([`${folder} is no release: it has no ${CHECKSUMS}`]);
  const problems = await releaseProblems(folder);
  if (problems.length > 0) return fail(problems);
  console.log(`${folder}: every file is the one of ${CHECKSUMS} and of ${BILL}`);
}

function fail(problems: readonly string[]): void {
  for (const problem of problems) console.error(`release: ${problem}`);
  process.exitCode = 1;
}

async function build(): Promise<void> {
  const place = placeOf(manifest);
  if ("missing" in place) return fail([place.missing]);
  const changed = uncommitted();
  if (changed.length > 0)
    return fail([`commit or remove ${changed.join(", ")}: a release is that of a commit`]);
  const platforms = values.only ?? Object.keys(PLATFORMS);
  if (!platforms.every(isPlatform))
    return fail([`--only is one of ${Object.keys(PLATFORMS).join(", ")}`]);
  const order = values.order === undefined ? [] : [`--order=${values.order}`];
  await run([process.execPath, ".ci/build.ts", ...order]);
  await checkInstalled(bundled().map(({ name }) => name));
  mkdirSync(RELEASE);
  await giveUsualRights();
  const tarball = `${manifest.name}-${manifest.version}.tgz`;
  await run(["npm", "pack", "--silent", "--ignore-scripts", "--pack-destination", RELEASE]);
  await buildBinaries(RELEASE, platforms);
  for (const path of ["Containerfile", "dist/start.order", "dist/licenses.txt"])
    await Bun.write(join(RELEASE, basename(path)), Bun.file(path));
  const packed = await hashPackage(join(RELEASE, tarball));
  const materials = { manifest, place, tarball, packed, bundled: bundled(), platforms };
  const files = await hashFolder(RELEASE);
  await Bun.write(join(RELEASE, BILL), formatBill({ ...materials, files }));
  await Bun.write(join(RELEASE, CHECKSUMS), formatChecksums(await hashFolder(RELEASE)));
  await verify(RELEASE);
}

/** The changed and the new files of a clone: the package would have those in its folders. */
function uncommitted(): readonly string[] {
  const { stdout } = Bun.spawnSync([
    "git",
    "status",
    "--porcelain",
    "--no-renames",
    "-z",
    "--untracked-files=all",
  ]);
  return stdout
    .toString()
    .split("\0")
    .flatMap((line) => (line === "" ? [] : [line.slice(3)]));
}

const PackList = z.tuple([z.object({ files: z.array(z.object({ path: z.string() })) })]);

/** The tarball has the rights of each file, which the umask of whoever clones or builds has made. */
async function giveUsualRights(): Promise<void> {
  const list = Bun.spawn(["npm", "pack", "--dry-run", "--json", "--ignore-scripts"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [{ files }] = PackList.parse(await new Response(list.stdout).json());
  for (const { path } of files) chmodSync(path, statSync(path).mode & 0o100 ? 0o755 : 0o644);
}

function bundled(): readonly BundledPackage[] {
  return z.array(BundledPackage).parse(JSON.parse(readFileSync("dist/bundled.json", "utf8")));
}

async function run(command: readonly string[]): Promise<void> {
  const child = Bun.spawn([...command], { stdio: ["ignore", "inherit", "inherit"] });
  if ((await child.exited) !== 0) throw new Error(`failed: ${command.join(" ")}`);
}

await main();
