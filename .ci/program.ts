/** The options of the bundler that the package and each binary share. */
import { openApiText } from "../tugtalk/host/openapi/document.ts";
import { packPage } from "../tugtalk/host/page/load-page.ts";
import { packText } from "../tugtalk/host/page/packed-text.ts";
import type { PageFiles } from "../tugtalk/host/page/page-files.ts";

/** The scenarios of the simulator are a fifth of the program; packing shrinks them to a tenth. */
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

/** Parts of zod that nothing here uses: its messages in other languages alone are a third of the program. */
const UNUSED_OF_ZOD: Bun.BunPlugin = {
  name: "unused parts of zod",
  setup(build) {
    const filter = /zod\/v4\/(?:locales\/index|core\/compile|classic\/from-json-schema)\.js$/;
    build.onLoad({ filter }, async ({ path }) => ({
      contents: emptied(await Bun.file(path).text()),
      loader: "js",
    }));
  },
};

/** A module with the exported names of the original, and without its content. */
function emptied(text: string): string {
  const names = text.matchAll(/^export (?:const|class|function) (\w+)/gm);
  return [...names].map(([, name]) => `export const ${name} = undefined;\n`).join("");
}

/** The program with this page in it. */
export function programOf(page: PageFiles) {
  return {
    entrypoints: ["tugtalk/cli.ts"],
    minify: true,
    bytecode: true,
    metafile: true,
    plugins: [PACKED_SCENARIOS, UNUSED_OF_ZOD],
    define: {
      TUGTALK_PAGE: JSON.stringify(packPage(page)),
      TUGTALK_OPENAPI: JSON.stringify(packText(openApiText())),
    },
  } satisfies Bun.BuildConfig;
}

/** How many times later than usual the binary compiles repeated code: see `roadmap/decisions.md`. */
const JIT_POLICY = 2;

/** One binary; without a target it is for this machine. */
export type BinaryOptions = Pick<
  Bun.CompileBuildOptions,
  "outfile" | "bytecodeOrder" | "target" | "executablePath"
>;

export function compileProgram(page: PageFiles, binary: BinaryOptions): Promise<Bun.BuildOutput> {
  return Bun.build({
    ...programOf(page),
    format: "esm",
    // Code that a start does not need stays in separate files.
    splitting: true,
    compile: {
      ...binary,
      jitPolicy: JIT_POLICY,
      // Without these, the binary reads `.env` and `bunfig.toml` of the folder in which it is started.
      autoloadDotenv: false,
      autoloadBunfig: false,
    },
  });
}
