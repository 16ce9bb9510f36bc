/** The folder that a session is to work in. */
import { AcpError } from "./json-rpc.ts";

/** Rejects with -32602 unless the path is a folder. */
export async function checkFolder(path: string): Promise<void> {
  const found = await statOf(path);
  if (found?.isDirectory() === true) return;
  const what = found === undefined ? "there is no such folder" : "is no folder";
  throw new AcpError("invalidParams", `cwd: ${what}`);
}

/** Without `node:fs`, which takes longer to load than a session takes to begin. */
async function statOf(path: string) {
  try {
    return await Bun.file(path).stat();
  } catch {
    return undefined;
  }
}
