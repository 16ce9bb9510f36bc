/**
 * The builds behind `npm run build`: what the package holds, and the binary `dist/tugtalk`, which runs
 * without Bun. `dist/cli.js` is the program for Bun, `dist/tugtalk.js` the launcher that starts it from
 * Node. Program and binary have bytecode for a quick start; that of the program is too large to publish.
 */
import { rmSync } from "node:fs";

const program = { entrypoints: ["tugtalk/cli.ts"], minify: true, bytecode: true } as const;
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
  Bun.build({
    ...program,
    format: "esm",
    // Without these, the binary reads `.env` and `bunfig.toml` of the folder that it is started in.
    compile: { outfile: "dist/tugtalk", autoloadDotenv: false, autoloadBunfig: false },
  }),
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

/** Without the line breaks and spaces, which are a third of the file in the sources. */
async function buildSchema(): Promise<void> {
  await Bun.write("dist/schema.json", JSON.stringify(await Bun.file("tugtalk/schema.json").json()));
}

/** Those of the two libraries, one for each source file that they use. */
async function buildDeclarations(): Promise<void> {
  const words = ["x", "--no-install", "tsc", "-p", "tsconfig.declarations.json"];
  const child = Bun.spawn([process.execPath, ...words], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  if ((await child.exited) !== 0) throw new Error("the declarations cannot be built");
}
