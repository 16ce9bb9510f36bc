/**
 * The rules of 2.1.330 for reading a file for the host: in its own folder, where no rule of Read forbids it.
 */
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { resolve, sep } from "node:path";
import type { Fields } from "../src/base/json.ts";

/** Undefined: denied. A missing file counts as denied, too. */
export function readForHost(cwd: string, request: Fields): Fields | undefined {
  const path = String(request["path"]);
  const absPath = resolve(cwd, path);
  const isFile = statSync(absPath, { throwIfNoEntry: false })?.isFile() === true;
  if (!absPath.startsWith(cwd + sep) || !isFile) return undefined;
  const { bytes, truncated } = readStart(absPath, Number(request["max_bytes"] ?? Infinity));
  const contents = new TextDecoder().decode(bytes);
  const lossy = contents.includes("\ufffd");
  return { contents, absPath, ...(truncated && { truncated }), lossy, requested_path: path };
}

function readStart(path: string, maxBytes: number) {
  const size = statSync(path).size;
  const bytes = new Uint8Array(Math.min(size, maxBytes));
  const file = openSync(path, "r");
  readSync(file, bytes);
  closeSync(file);
  return { bytes, truncated: size > maxBytes };
}
