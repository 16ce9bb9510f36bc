/**
 * The drift alarm: which kinds of the published declarations no registry of ours knows. Only types
 * are read, of the main package, at a version that is pinned; nothing of it is installed or run.
 */
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseClaudeMessage } from "../../src/claude/claude-line.ts";
import { CONTROL_SUBTYPES, OWN_REQUESTS, WITHHELD } from "../../src/messages/control-subtypes.ts";
import { IGNORED_KINDS } from "../../src/messages/ignored-kinds.ts";
import { type DeclaredKinds, declaredKinds } from "./declared-kinds.ts";
import { KIND_FIXTURES } from "./kind-fixtures.ts";
import { MAPPED } from "./mapped-kinds.ts";

const PACKAGE = "@anthropic-ai/claude-agent-sdk";

/** The version whose declarations must be known whole. */
export const PINNED = "0.3.330";

const CACHE = join(import.meta.dir, "..", "..", "..", ".cache", "claude-agent-sdk");

/** What our registries know. */
export type Registry = {
  readonly messages: ReadonlySet<string>;
  readonly requests: ReadonlySet<string>;
};

/**
 * A message is known by an outbound message, a schema and a fixture, or by its reason on the list of
 * what means nothing; a request by its place among those that we take, send or withhold.
 */
export function registry(): Registry {
  const parsed = KIND_FIXTURES.filter(({ line }) => parseClaudeMessage(line).type !== "unknown");
  const emitted = parsed.map(({ kind }) => kind).filter((kind) => Object.hasOwn(MAPPED, kind));
  const asked = emitted.flatMap((kind) => /^control_request\/(\w+)$/.exec(kind)?.[1] ?? []);
  const tables = [CONTROL_SUBTYPES, OWN_REQUESTS, WITHHELD];
  return {
    messages: new Set([...emitted, ...Object.keys(IGNORED_KINDS)]),
    requests: new Set([...asked, ...tables.flatMap((table) => Object.keys(table))]),
  };
}

/** What is declared and not known; a kind is known too where the registry tells it apart further. */
export function drift({ messages, requests }: DeclaredKinds, known: Registry): string[] {
  const isKnown = (kind: string) =>
    known.messages.has(kind) || [...known.messages].some((other) => other.startsWith(`${kind}/`));
  return [
    ...messages.filter((kind) => !isKnown(kind)).map((kind) => `message ${kind}`),
    ...requests
      .filter((name) => !known.requests.has(name))
      .map((name) => `control request ${name}`),
  ];
}

/** The newest version that is published. */
export async function newestVersion(): Promise<string> {
  return (await npm(["view", PACKAGE, "version"])).trim();
}

/** What a version declares, fetched once and kept in the cache. Says so where it cannot be fetched. */
export async function declarationsOf(version: string): Promise<DeclaredKinds> {
  const file = join(CACHE, version, "sdk.d.ts");
  if (!existsSync(file)) await fetchDeclarations(version, join(CACHE, version));
  return declaredKinds(await Bun.file(file).text());
}

async function fetchDeclarations(version: string, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const printed = await npm(["pack", `${PACKAGE}@${version}`, "--pack-destination", folder]);
  const archive = join(folder, printed.trim().split("\n").at(-1) ?? "");
  await output(["tar", "-xzf", archive, "-C", folder, "--strip-components=1", "package/sdk.d.ts"]);
  rmSync(archive);
}

/** A registry that is not there is to be an error soon, not silence for minutes. */
const SHORT_WAITS = [
  "--fetch-retries=2",
  "--fetch-retry-mintimeout=1000",
  "--fetch-retry-maxtimeout=2000",
  "--fetch-timeout=20000",
];

function npm(args: readonly string[]): Promise<string> {
  return output(["npm", "--loglevel=error", "--ignore-scripts", ...SHORT_WAITS, ...args]);
}

async function output(command: readonly string[]): Promise<string> {
  const child = Bun.spawn([...command], {
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 50_000,
  });
  const [printed, words] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  if ((await child.exited) === 0) return printed;
  throw new Error(
    `cannot fetch the declarations of ${PACKAGE}; is the npm registry there? \`${command.join(" ")}\` ended with ${child.exitCode}: ${words.trim().slice(0, 300)}`,
  );
}
