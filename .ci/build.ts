/**
 * The builds behind `npm run build`: the files of the package, and the binary `dist/tugtalk`, which runs
 * without Bun. `dist/cli.js` is the program for Bun, `dist/tugtalk.js` the launcher that starts it from Node.
 * Program and binary have bytecode for a quick start; the program's bytecode is too large to publish. The
 * order of functions in the binary comes from `dist/start.order`, which a start records. It varies from start
 * to start; with `--order=<file>`, an earlier build's order, the binary is the same byte for byte.
 */
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { writeQuickClaude } from "../tugtalk/bench/peers/quick-claude.ts";
import { openApiText } from "../tugtalk/host/openapi/document.ts";
import { bundlePage, pageFiles } from "../tugtalk/host/page/build-page.ts";
import { bundledPackages, formatLicenses } from "./bundled-packages.ts";
import { compileProgram, programOf } from "./program.ts";

/** Names are kept for people who debug a host. */
const library = {
  format: "esm",
  outdir: "dist",
  metafile: true,
  minify: { whitespace: true, syntax: true },
} as const;

const { order } = parseArgs({ options: { order: { type: "string" } } }).values;
// Read first: the file may be in the folder that is deleted next.
const givenOrder = order === undefined ? undefined : await Bun.file(order).text();
const pageBundle = await bundlePage();
const page = await pageFiles(pageBundle);

rmSync("dist", { recursive: true, force: true });
const [bundles] = await Promise.all([
  Promise.all([
    // Bun writes bytecode beside a bundle only for CommonJS; only a binary may hold the bytecode of a module.
    Bun.build({
      ...programOf(page),
      target: "bun",
      format: "cjs",
      outdir: "dist",
      naming: "cli.js",
    }),
    Bun.build({ ...library, entrypoints: ["tugtalk/client/client.ts"], target: "browser" }),
    Bun.build({ ...library, entrypoints: ["tugtalk/spawn/spawn.ts"], target: "node" }),
    Bun.build({
      ...library,
      entrypoints: ["tugtalk/spawn/launcher.ts"],
      target: "node",
      naming: "tugtalk.js",
    }),
    buildBinary(),
  ]),
  buildDeclarations(),
  buildSchema(),
  Bun.write("dist/openapi.json", openApiText()),
]);
const packages = await bundledPackages([pageBundle, ...bundles]);
await Bun.write("dist/licenses.txt", formatLicenses(packages));
await Bun.write("dist/bundled.json", JSON.stringify(packages));
await checkPaths();

/**
 * Builds the binary twice: a start of the first one records the functions that it uses, and the second one
 * has these together.
 */
async function buildBinary(): Promise<Bun.BuildOutput> {
  const folder = mkdtempSync(join(tmpdir(), "tugtalk-build-"));
  try {
    const first = join(folder, "tugtalk");
    if (givenOrder === undefined) {
      await compileProgram(page, { outfile: first });
      copyFileSync(await recordStart(first, folder), "dist/start.order");
    } else await Bun.write("dist/start.order", givenOrder);
    return await compileProgram(page, {
      outfile: "dist/tugtalk",
      bytecodeOrder: "dist/start.order",
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs one turn, and returns the file with the functions that it used. */
async function recordStart(binary: string, folder: string): Promise<string> {
  const profile = join(folder, "start.order");
  const lines = [
    { type: "protocol_init", version: 2 },
    { type: "user_message", text: "Hello?" },
  ].map((line) => `${JSON.stringify(line)}\n`);
  const child = Bun.spawn([binary, `--claude=${writeQuickClaude(folder)}`, "--on-eof=drain"], {
    stdio: [new Blob(lines), "ignore", "inherit"],
    cwd: folder,
    timeout: 60_000,
    env: {
      ...process.env,
      HOME: folder,
      XDG_STATE_HOME: join(folder, "state"),
      BUN_BYTECODE_ORDER_OUT: profile,
    },
  });
  if ((await child.exited) !== 0) throw new Error("the binary does not start");
  return profile;
}

/** Writes the schema without line breaks and spaces, which are a third of the file in the sources. */
async function buildSchema(): Promise<void> {
  await Bun.write("dist/schema.json", JSON.stringify(await Bun.file("tugtalk/schema.json").json()));
}

/**
 * Writes the declarations of the two libraries, one for each source file that they use. Indents would be a
 * tenth of them.
 */
async function buildDeclarations(): Promise<void> {
  const words = ["x", "--no-install", "tsc", "-p", "tsconfig.declarations.json"];
  const child = Bun.spawn([process.execPath, ...words], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  if ((await child.exited) !== 0) throw new Error("the declarations cannot be built");
  for (const path of new Bun.Glob("dist/types/**/*.d.ts").scanSync()) {
    const text = await Bun.file(path).text();
    const indented = text.replace(/^(?: {4})+/gm, (spaces) => "\t".repeat(spaces.length / 4));
    await Bun.write(path, indented);
  }
}

/**
 * Throws if a product has a path of this clone in it, for example the `import.meta.url` of a source in a
 * CommonJS bundle. Where the package is installed, the path leads to another program, or to none.
 */
async function checkPaths(): Promise<void> {
  const inClone = ["tugtalk", "node_modules", ".ci", "dist"].map((name) => resolve(name));
  for (const path of new Bun.Glob("dist/**/*").scanSync()) {
    const bytes = Buffer.from(await Bun.file(path).arrayBuffer());
    const found = inClone.find((folder) => bytes.includes(folder));
    if (found !== undefined) throw new Error(`${path} has a path of this clone in it: ${found}`);
  }
}
