/** The folder that a session is to work in. */
import { stat } from "node:fs/promises";
import { AcpError } from "./json-rpc.ts";

/** Rejects unless it is one. */
export async function checkFolder(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory() === true) return;
  const what = found === undefined ? "there is no such folder" : "is no folder";
  throw new AcpError("invalidParams", `cwd: ${what}`);
}
