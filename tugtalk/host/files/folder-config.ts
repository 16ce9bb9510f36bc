/**
 * The settings that come with a folder and apply there without a question. Without a terminal the CLI asks
 * nobody whether a folder is trusted. So the host shows them to a person before it starts Claude there.
 */
import { join } from "node:path";
import type { FolderConfig } from "../../client/host-api.ts";
import { foldersUpFrom, repositoryOf } from "../../src/base/repository.ts";
import { type ConfigFile, readJsonFile } from "./config-file.ts";
import { type DefinitionKind, readDefinitions } from "./definitions.ts";
import { scheduleConfig, serversConfig, settingsConfig } from "./settings-config.ts";

const SETTINGS = ".claude/settings.json";
const LOCAL_SETTINGS = ".claude/settings.local.json";
const SCHEDULE = ".claude/scheduled_tasks.json";
const MCP_SERVERS = ".mcp.json";
const DEFINITIONS: readonly DefinitionKind[] = ["agents", "commands", "skills"];

/**
 * Reads the files that the CLIs read: the settings of the folder, and the local settings and scheduled
 * prompts of the root of its Git repository. Agents, commands, skills and lists of MCP servers are read up to
 * that root, and outside of a repository up to the root of the file system. `userFolder` is the folder of the
 * user's own settings, which comes with no folder.
 */
export async function readFolderConfig(dir: string, userFolder?: string): Promise<FolderConfig> {
  const { roots, folders } = await repositoryOf(dir);
  const bases = unique([dir, ...roots]);
  const settings = [join(dir, SETTINGS), ...bases.map((base) => join(base, LOCAL_SETTINGS))];
  const owned = unique([...folders, ...roots])
    .map((folder) => join(folder, ".claude"))
    .filter((folder) => folder !== userFolder);
  const found = await Promise.all([
    ...settings.map((path) => readWith(path, settingsConfig)),
    ...bases.map((base) => readWith(join(base, SCHEDULE), scheduleConfig)),
    ...foldersUpFrom(dir).map((folder) => readWith(join(folder, MCP_SERVERS), serversConfig)),
    ...owned.flatMap((folder) => DEFINITIONS.map((kind) => readDefinitions(folder, kind))),
  ]);
  return mergeConfigs(found.flat());
}

function unique(paths: readonly string[]): string[] {
  return [...new Set(paths)];
}

type Read = (file: ConfigFile) => Partial<FolderConfig>;

async function readWith(path: string, read: Read): Promise<Partial<FolderConfig>> {
  const file = await readJsonFile(path);
  if (file === "absent") return {};
  return file === "unreadable" ? { unreadable: [path] } : read({ fields: file, source: path });
}

/** All findings of the parts, in their order. */
function mergeConfigs(parts: readonly Partial<FolderConfig>[]): FolderConfig {
  return {
    hooks: parts.flatMap(({ hooks = [] }) => hooks),
    mcp_servers: parts.flatMap(({ mcp_servers = [] }) => mcp_servers),
    commands: parts.flatMap(({ commands = [] }) => commands),
    env: parts.flatMap(({ env = [] }) => env),
    permissions: parts.flatMap(({ permissions = [] }) => permissions),
    plugins: parts.flatMap(({ plugins = [] }) => plugins),
    settings: parts.flatMap(({ settings = [] }) => settings),
    unreadable: parts.flatMap(({ unreadable = [] }) => unreadable),
  };
}
