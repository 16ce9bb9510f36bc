/** The real `claude` CLIs, installed from the npm registry. Their temporary home is in isolated-home.ts. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { installPackage } from "../drivers/installed-package.ts";

const PACKAGE = "@anthropic-ai/claude-code";

/** The path of this version of `claude`: a binary, or the script of an older one. */
export async function claudePath(version: string): Promise<string> {
  const { modules, path } = await installPackage(PACKAGE, version);
  // npm installs the platform package whose `libc` fits, so at most one of these is there.
  const platform = `${PACKAGE}-${process.platform}-${process.arch}`;
  const binaries = [platform, `${platform}-musl`].map((name) => join(modules, name, "claude"));
  const found = [...binaries, join(path, "cli.js")].find((file) => existsSync(file));
  if (found !== undefined) return found;
  throw new Error(`claude ${version} has no build for ${process.platform}-${process.arch}`);
}
