/**
 * What the settings that come with a folder make Claude start: without a terminal the CLI asks nobody
 * whether a folder is trusted, so that the host shows this to a person before Claude is started there.
 */
import { readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  entryIn,
  type Fields,
  objectOf,
  objectsOf,
  textOf,
  textsOf,
} from "../../client/claude-value.ts";
import type { FolderConfig } from "../../client/host-api.ts";

const SETTINGS = [".claude/settings.json", ".claude/settings.local.json"];
const MCP_SERVERS = ".mcp.json";
const MAX_BYTES = 1024 * 1024;

/** Settings whose value is a command line, or an object with one. */
const COMMAND_SETTINGS = [
  "apiKeyHelper",
  "awsAuthRefresh",
  "awsCredentialExport",
  "gcpAuthRefresh",
  "otelHeadersHelper",
  "proxyAuthHelper",
  "statusLine",
  "fileSuggestion",
];

const NOTHING: FolderConfig = { hooks: [], mcp_servers: [], commands: [], env: [], unreadable: [] };

/** Reads the settings of a folder, and the lists of MCP servers there and in the folders above it. */
export async function readFolderConfig(dir: string): Promise<FolderConfig> {
  const settings = SETTINGS.map((name) => readConfig(join(dir, name), settingsConfig));
  const servers = foldersUpFrom(dir).map((folder) =>
    readConfig(join(folder, MCP_SERVERS), serversConfig),
  );
  return merge(await Promise.all([...settings, ...servers]));
}

/** Whether it starts or changes nothing, as far as is known. */
export function isHarmless(config: FolderConfig): boolean {
  return Object.values(config).every((list) => list.length === 0);
}

/** What one file of settings says. */
export function settingsConfig(settings: Fields, source: string): FolderConfig {
  return {
    ...NOTHING,
    hooks: hooksOf(settings, source),
    mcp_servers: serversConfig(settings, source).mcp_servers,
    commands: commandsOf(settings, source),
    env: entriesOf(settings["env"]).map(([name, value]) => ({
      name,
      value: textOf(value) ?? JSON.stringify(value),
      source,
    })),
  };
}

/** What one `.mcp.json` says. */
export function serversConfig(file: Fields, source: string): FolderConfig {
  const servers = entriesOf(file["mcpServers"]);
  const mcp_servers = servers.map(([name, server]) => ({
    name,
    command: commandOf(objectOf(server) ?? {}) ?? JSON.stringify(server),
    source,
  }));
  return { ...NOTHING, mcp_servers };
}

function hooksOf(settings: Fields, source: string): FolderConfig["hooks"] {
  return entriesOf(settings["hooks"]).flatMap(([event, groups]) =>
    objectsOf(groups).flatMap((group) => {
      const matcher = textOf(group["matcher"]);
      return objectsOf(group["hooks"]).map((hook) => ({
        event,
        ...(matcher !== undefined && { matcher }),
        command: commandOf(hook) ?? JSON.stringify(hook),
        source,
      }));
    }),
  );
}

function commandsOf(settings: Fields, source: string): FolderConfig["commands"] {
  return COMMAND_SETTINGS.flatMap((setting) => {
    const value = entryIn(settings, setting);
    const command = textOf(value) ?? commandOf(objectOf(value) ?? {});
    return command === undefined ? [] : [{ setting, command, source }];
  });
}

function commandOf(starts: Fields): string | undefined {
  const command = textOf(starts["command"]);
  if (command === undefined) return textOf(starts["url"]);
  return [command, ...textsOf(starts["args"])].join(" ");
}

function entriesOf(value: unknown): [name: string, value: unknown][] {
  return Object.entries(objectOf(value) ?? {});
}

type Read = (file: Fields, source: string) => FolderConfig;

async function readConfig(path: string, read: Read): Promise<FolderConfig> {
  const text = await readText(path);
  if (text === undefined) return NOTHING;
  const file = objectOf(parsed(text));
  return file === undefined ? { ...NOTHING, unreadable: [path] } : read(file, path);
}

/** Undefined: there is no such file. Empty: it cannot be read. */
async function readText(path: string): Promise<string | undefined> {
  try {
    const found = await stat(path);
    // To read a pipe would never end.
    return found.isFile() && found.size <= MAX_BYTES ? await readFile(path, "utf8") : "";
  } catch (error) {
    const isAbsent =
      error instanceof Error && "code" in error && /^ENO(ENT|TDIR)$/.test(`${error.code}`);
    return isAbsent ? undefined : "";
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function foldersUpFrom(dir: string): string[] {
  const parent = dirname(dir);
  return parent === dir ? [dir] : [dir, ...foldersUpFrom(parent)];
}

function merge(configs: readonly FolderConfig[]): FolderConfig {
  return {
    hooks: configs.flatMap(({ hooks }) => hooks),
    mcp_servers: configs.flatMap(({ mcp_servers }) => mcp_servers),
    commands: configs.flatMap(({ commands }) => commands),
    env: configs.flatMap(({ env }) => env),
    unreadable: configs.flatMap(({ unreadable }) => unreadable),
  };
}
