/**
 * The builds behind `npm run build`: what the package holds, and the binary `dist/tugtalk`, which runs
 * without Bun. `dist/cli.js` is the program for Bun, `dist/tugtalk.js` the launcher that starts it from
 * Node. Program and binary have bytecode for a quick start; that of the program is too large to publish.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { writeQuickClaude } from "../tugtalk/bench/peers/quick-claude.ts";
import { buildPage } from "../tugtalk/host/page/build-page.ts";
import { packPage } from "../tugtalk/host/page/load-page.ts";

/** The scenarios of the simulator are a fifth of the program, and packed a tenth of that. */
const PACKED_SCENARIOS: Bun.BunPlugin = {
  name: "packed scenarios",
  setup(build) {
    build.onLoad({ filter: /\.jsonl$/ }, async ({ path }) => {
      const packed = Bun.zstdCompressSync(await Bun.file(path).text(), { level: 19 });
      const text = `Bun.zstdDecompressSync(Buffer.from("${packed.toString("base64")}", "base64")).toString()`;
      return { contents: `export default ${text};`, loader: "js" };
    });
  },
};

/** The messages of zod in languages that nobody chooses: a third of the program. */
const ENGLISH_ONLY: Bun.BunPlugin = {
  name: "english only",
  setup(build) {
    build.onLoad({ filter: /zod\/v4\/locales\/index\.js$/ }, () => ({
      contents: "",
      loader: "js",
    }));
  },
};

const program = {
  entrypoints: ["tugtalk/cli.ts"],
  minify: true,
  bytecode: true,
  plugins: [PACKED_SCENARIOS, ENGLISH_ONLY],
  define: { TUGTALK_PAGE: JSON.stringify(packPage(await buildPage())) },
} as const;

/** How many times later than usual the binary compiles code that repeats: see `roadmap/decisions.md`. */
const JIT_POLICY = 2;

/** Names are kept, for those who debug a host. */
const library = {
  format: "esm",
  outdir: "dist",
  minify: { whitespace: true, syntax: true },
} as const;

rmSync("dist", { recursive: true, force: true });
await Promise.all([
  // Bun writes bytecode beside a bundle only for CommonJS; a binary may also hold that of a module.
  Bun.build({ ...program, target: "bun", format: "cjs", outdir: "dist", naming: "cli.js" }),
  buildBinary(),
  Bun.build({ ...library, entrypoints: ["tugtalk/client/client.ts"], target: "browser" }),
  Bun.build({ ...library, entrypoints: ["tugtalk/spawn/spawn.ts"], target: "node" }),
  Bun.build({
    ...library,
    entrypoints: ["tugtalk/spawn/launcher.ts"],
    target: "node",
    naming: "tugtalk.js",
  }),
  buildDeclarations(),
  buildSchema(),
]);
await checkPaths();

/** Built twice: a first one shows which functions a start uses, and these are put together in the second one. */
async function buildBinary(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "tugtalk-build-"));
  try {
    const first = join(folder, "tugtalk");
    await compileTo(first);
    await compileTo("dist/tugtalk", await recordStart(first, folder));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function compileTo(outfile: string, bytecodeOrder?: string): Promise<unknown> {
  return Bun.build({
    ...program,
    format: "esm",
    // What a start does not need stays in files of its own.
    splitting: true,
    compile: {
      outfile,
      ...(bytecodeOrder !== undefined && { bytecodeOrder }),
      jitPolicy: JIT_POLICY,
      // Without these, the binary reads `.env` and `bunfig.toml` of the folder that it is started in.
      autoloadDotenv: false,
      autoloadBunfig: false,
    },
  });
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

/** Without the line breaks and spaces, which are a third of the file in the sources. */
async function buildSchema(): Promise<void> {
  await Bun.write("dist/schema.json", JSON.stringify(await Bun.file("tugtalk/schema.json").json()));
}

/** Those of the two libraries, one for each source file that they use. Spaces for indents are a tenth of them. */
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
 * Throws if a product has a path of this clone in it, such as the `import.meta.url` of a source in a
 * CommonJS bundle: where the package is installed, it leads to another program, or to none.
 */
async function checkPaths(): Promise<void> {
  const inClone = ["tugtalk", "node_modules", ".ci", "dist"].map((name) => resolve(name));
  for (const path of new Bun.Glob("dist/**/*").scanSync()) {
    const bytes = Buffer.from(await Bun.file(path).arrayBuffer());
    const found = inClone.find((folder) => bytes.includes(folder));
    if (found !== undefined) throw new Error(`${path} has a path of this clone in it: ${found}`);
  }
}
