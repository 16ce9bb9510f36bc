/** A Node of a fixed version, installed from the npm registry. */
import { join } from "node:path";
import { installPackage } from "../drivers/installed-package.ts";

const VERSION = "22.23.3";

/** The folder with its `node`. The package `node` has only a script that fetches these. */
export async function installNode(): Promise<string> {
  const name = `${process.platform}-${process.arch}`;
  const prefix = name === "darwin-arm64" ? "node-bin" : "node";
  const { path } = await installPackage(`${prefix}-${name}`, VERSION);
  return join(path, "bin");
}
