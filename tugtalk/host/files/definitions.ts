/** What the agents, commands and skills of a `.claude` folder grant themselves: reads the beginnings of their files. */
import type { Dirent } from "node:fs";
import { readdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import type { FolderConfig } from "../../client/host-api.ts";
import { isAbsent, readText } from "./config-file.ts";
import { frontMatterConfig } from "./front-matter-config.ts";
import { isFolder } from "./real-dir.ts";

/** Also the name of the folder that has them. */
export type DefinitionKind = "agents" | "commands" | "skills";

/** A tree that is larger or deeper is called unreadable. */
const MAX_FILES = 2_000;
const MAX_DEPTH = 8;

const FILES: Readonly<Record<DefinitionKind, RegExp>> = {
  agents: /\.md$/i,
  commands: /\.md$/i,
  skills: /^skill\.md$/i,
};

/** The manifest of a plugin, which a folder of skills may be. */
const PLUGIN = /[\\/]\.claude-plugin[\\/]plugin\.json$/i;

type Found = {
  readonly files: string[];
  readonly plugins: string[];
  readonly unreadable: string[];
};

/** Reads them in all folders below `<folder>/<kind>`, through links, too. */
export async function readDefinitions(
  folder: string,
  kind: DefinitionKind,
): Promise<Partial<FolderConfig>> {
  const found: Found = { files: [], plugins: [], unreadable: [] };
  await walk(join(folder, kind), { found, kind, seen: new Set() }, 0);
  const configs = await Promise.all(found.files.map(readDefinition));
  return {
    hooks: configs.flatMap(({ hooks = [] }) => hooks),
    mcp_servers: configs.flatMap(({ mcp_servers = [] }) => mcp_servers),
    permissions: configs.flatMap(({ permissions = [] }) => permissions),
    plugins: found.plugins.map((source) => ({ setting: kind, value: "", source })),
    unreadable: [...found.unreadable, ...configs.flatMap(({ unreadable = [] }) => unreadable)],
  };
}

async function readDefinition(source: string): Promise<Partial<FolderConfig>> {
  const text = await readText(source);
  return text === null ? { unreadable: [source] } : frontMatterConfig(text ?? "", source);
}

type Walk = {
  readonly found: Found;
  readonly kind: DefinitionKind;
  /** Real paths: links may lead in a circle. */
  readonly seen: Set<string>;
};

async function walk(folder: string, at: Walk, depth: number): Promise<void> {
  const entries = await entriesOf(folder, at);
  for (const entry of entries.toSorted((one, other) => one.name.localeCompare(other.name))) {
    const path = join(folder, entry.name);
    if (at.found.files.length >= MAX_FILES || depth > MAX_DEPTH) {
      at.found.unreadable.push(path);
      return;
    }
    if (await isFolder(path, entry)) await walk(path, at, depth + 1);
    else if (PLUGIN.test(path)) at.found.plugins.push(path);
    else if (FILES[at.kind].test(entry.name)) at.found.files.push(path);
  }
}

async function entriesOf(folder: string, { found, seen }: Walk): Promise<Dirent[]> {
  try {
    const real = await realpath(folder);
    if (seen.has(real)) return [];
    seen.add(real);
    return await readdir(real, { withFileTypes: true });
  } catch (error) {
    if (!isAbsent(error)) found.unreadable.push(folder);
    return [];
  }
}
