/** The environment in which a bridge and a real `claude` take little processor time to start. */
import { mkdir, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import type { IsolatedHome } from "../../simulator/isolated-home.ts";
import { TRANSPILED } from "../drivers/bridge-process.ts";
import { CACHE } from "../drivers/installed-package.ts";
import { installNode } from "./installed-node.ts";

/** Variables for this `claude` in this home. */
export async function quickStart(
  claude: string,
  home: IsolatedHome,
): Promise<Readonly<Record<string, string>>> {
  if (!claude.endsWith(".js")) return TRANSPILED;
  const folders = [await withoutNpm(home), await installNode(), process.env["PATH"]];
  // Compiling the 11 MB of this script takes half of its start. Node does it once since version 22.
  return {
    ...TRANSPILED,
    PATH: folders.join(delimiter),
    NODE_COMPILE_CACHE: join(CACHE, "compiled"),
  };
}

/** 2.1.38 asks npm for the folder of global packages at each start; here it gets no answer. */
async function withoutNpm({ root }: IsolatedHome): Promise<string> {
  const folder = join(root, "bin");
  await mkdir(folder);
  await writeFile(join(folder, "npm"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
  return folder;
}
