/** Folders with settings, and the findings in them. */
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { FolderConfig } from "../../../../client/host-api.ts";
import { readFolderConfig } from "../../folder-config.ts";

const FOLDER = mkdtempSync(join(tmpdir(), "config-"));

let folders = 0;

/** A new folder with these files; an object becomes JSON. */
export function folderWith(files: Readonly<Record<string, unknown>>): string {
  folders += 1;
  const folder = join(FOLDER, String(folders));
  mkdirSync(folder);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(
      join(folder, name),
      typeof content === "string" ? content : JSON.stringify(content),
    );
  }
  return folder;
}

export const NOTHING: FolderConfig = {
  hooks: [],
  mcp_servers: [],
  commands: [],
  env: [],
  permissions: [],
  plugins: [],
  settings: [],
  unreadable: [],
};

/** The findings in a new folder, or in a folder within it, with paths relative to the new one. */
export async function findingsIn(
  files: Readonly<Record<string, unknown>>,
  name = "",
): Promise<object> {
  const folder = folderWith(files);
  const config = await readFolderConfig(join(folder, name));
  const found = Object.entries(config).filter(([, list]) => list.length > 0);
  return JSON.parse(JSON.stringify(Object.fromEntries(found)).replaceAll(`${folder}/`, ""));
}
