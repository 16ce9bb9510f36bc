/**
 * The binaries of a release, one for each platform. Bun makes a binary for another platform from its
 * executable for that platform, which is in an npm package that `bun.lock` knows.
 */
import { chmodSync, copyFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { buildPage } from "../tugtalk/host/page/build-page.ts";
import { lockedFiles } from "./locked-files.ts";
import { signAdHoc } from "./mac-signature.ts";
import { compileProgram } from "./program.ts";

/** A platform by the name in the file of its binary. */
export type Platform = keyof typeof PLATFORMS;

/** For each platform the target of Bun's build, and the package with its executable. */
export const PLATFORMS = {
  "linux-x64": { target: "bun-linux-x64", runtime: "@oven/bun-linux-x64" },
  "linux-arm64": { target: "bun-linux-arm64", runtime: "@oven/bun-linux-aarch64" },
  "darwin-x64": { target: "bun-darwin-x64", runtime: "@oven/bun-darwin-x64" },
  "darwin-arm64": { target: "bun-darwin-arm64", runtime: "@oven/bun-darwin-aarch64" },
} as const;

export function isPlatform(name: string): name is Platform {
  return name in PLATFORMS;
}

export function binaryName(platform: Platform): string {
  return `tugtalk-${platform}`;
}

/** Writes the binaries into the folder. `npm run build` has made the binary of this machine. */
export async function buildBinaries(folder: string, platforms: readonly Platform[]): Promise<void> {
  const own = `${process.platform}-${process.arch}`;
  const page = await buildPage();
  for (const platform of platforms) {
    const outfile = join(folder, binaryName(platform));
    if (platform === own) copyFileSync("dist/tugtalk", outfile);
    else {
      const { target, runtime } = PLATFORMS[platform];
      const executablePath = await unpackRuntime(runtime);
      const bytecodeOrder = "dist/start.order";
      await compileProgram(page, { outfile, bytecodeOrder, target, executablePath });
    }
    // For arm64 Bun signs. For x64 it leaves the signature of its own executable, which macOS refuses.
    if (platform === "darwin-x64") await signAdHoc(outfile, "tugtalk");
  }
}

/**
 * The path of Bun's executable in an npm package. It is unpacked each time, so its bytes are those of
 * `bun.lock`.
 */
async function unpackRuntime(name: string): Promise<string> {
  const executable = (await lockedFiles(name)).get("package/bin/bun");
  if (executable === undefined) throw new Error(`${name} has no bin/bun`);
  const path = join(".cache", "runtimes", name.replace("/", "-"), "bun");
  const draft = `${path}.${crypto.randomUUID()}`;
  await Bun.write(draft, executable);
  chmodSync(draft, 0o755);
  renameSync(draft, path);
  return path;
}
