/**
 * The grants of the agents, commands and skills of a `.claude` folder, from the beginnings of their files.
 */
import type { Dirent } from "node:fs";
import { readdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import type { FolderConfig } from "../../client/host-api.ts";
import { isAbsent, readText } from "./config-file.ts";
import { frontMatterConfig } from "./front-matter-config.ts";
import { isFolder } from "./real-dir.ts";

/** Also the name of the folder with these definitions. */
export type DefinitionKind = "agents" | "commands" | "skills";

/** A larger or deeper tree is reported as unreadable. */
const MAX_FILES = 2_000;
const MAX_DEPTH = 8;

const FILES: Readonly<Record<DefinitionKind, RegExp>> = {
  agents: /\.md$/i,
  commands: /\.md$/i,
  skills: /^skill\.md$/i,
};

/** The manifest that makes a folder of skills a plugin. */
const PLUGIN = /[\\/]\.claude-plugin[\\/]plugin\.json$/i;

/** Reads the definitions in all folders below `<folder>/<kind>`, through links, too. */
export async function readDefinitions(
  folder: string,
  kind: DefinitionKind,
): Promise<readonly Partial<FolderConfig>[]> {
  const walked: Walk = { kind, files: [], found: [], seen: new Set() };
  await walk(join(folder, kind), walked, 0);
  return [...walked.found, ...(await Promise.all(walked.files.map(readDefinition)))];
}

async function readDefinition(source: string): Promise<Partial<FolderConfig>> {
  const text = await readText(source);
  return text === null ? { unreadable: [source] } : frontMatterConfig(text ?? "", source);
}

type Walk = {
  readonly kind: DefinitionKind;
  /** The definitions, to be read. */
  readonly files: string[];
  /** Findings that need no reading: plugins, and unreadable files. */
  readonly found: Partial<FolderConfig>[];
  /** Real paths: links may lead in a circle. */
  readonly seen: Set<string>;
};

async function walk(folder: string, at: Walk, depth: number): Promise<void> {
  const { kind, files, found } = at;
  const entries = await entriesOf(folder, at);
  for (const entry of entries.toSorted((one, other) => one.name.localeCompare(other.name))) {
    const path = join(folder, entry.name);
    if (files.length >= MAX_FILES || depth > MAX_DEPTH) {
      found.push({ unreadable: [path] });
      return;
    }
    if (await isFolder(path, entry)) await walk(path, at, depth + 1);
    else if (PLUGIN.test(path))
      found.push({ plugins: [{ setting: kind, value: "", source: path }] });
    else if (FILES[kind].test(entry.name)) files.push(path);
  }
}

async function entriesOf(folder: string, { found, seen }: Walk): Promise<Dirent[]> {
  try {
    const real = await realpath(folder);
    if (seen.has(real)) return [];
    seen.add(real);
    return await readdir(real, { withFileTypes: true });
  } catch (error) {
    if (!isAbsent(error)) found.push({ unreadable: [folder] });
    return [];
  }
}
