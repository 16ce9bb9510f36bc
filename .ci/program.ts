/** How the program is bundled: the options that the package and each binary share. */
import { packPage } from "../tugtalk/host/page/load-page.ts";
import type { PageFiles } from "../tugtalk/host/page/page-files.ts";

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

/** The program with this page in it. */
export function programOf(page: PageFiles) {
  return {
    entrypoints: ["tugtalk/cli.ts"],
    minify: true,
    bytecode: true,
    metafile: true,
    plugins: [PACKED_SCENARIOS, ENGLISH_ONLY],
    define: { TUGTALK_PAGE: JSON.stringify(packPage(page)) },
  } satisfies Bun.BuildConfig;
}

/** How many times later than usual the binary compiles code that repeats: see `roadmap/decisions.md`. */
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
    // What a start does not need stays in files of its own.
    splitting: true,
    compile: {
      ...binary,
      jitPolicy: JIT_POLICY,
      // Without these, the binary reads `.env` and `bunfig.toml` of the folder that it is started in.
      autoloadDotenv: false,
      autoloadBunfig: false,
    },
  });
}
