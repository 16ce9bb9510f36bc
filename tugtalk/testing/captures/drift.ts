/**
 * Finds kinds in the published declarations of Claude that tugtalk does not know. Reads the type
 * declarations of one pinned version; nothing of the package is installed or run.
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

/** The version whose declarations must be known completely. */
export const PINNED = "0.3.330";

const CACHE = join(import.meta.dir, "..", "..", "..", ".cache", "claude-agent-sdk");

/** The kinds that tugtalk knows. */
export type Registry = {
  readonly messages: ReadonlySet<string>;
  readonly requests: ReadonlySet<string>;
};

/**
 * A message is known if it has a fixture that parses and an outbound message, or is an ignored kind. A
 * request is known if a host may send it, tugtalk sends it, it is withheld, or Claude sends it to us.
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

/** The declared kinds that are not known. A kind counts as known if the registry divides it further. */
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

/** The newest published version. */
export async function newestVersion(): Promise<string> {
  return (await npm(["view", PACKAGE, "version"])).trim();
}

/** The declarations of a version, fetched once into the cache. Throws if they cannot be fetched. */
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

/** Fail soon when the registry is unreachable. */
const SHORT_TIMEOUTS = [
  "--fetch-retries=2",
  "--fetch-retry-mintimeout=1000",
  "--fetch-retry-maxtimeout=2000",
  "--fetch-timeout=20000",
];

function npm(args: readonly string[]): Promise<string> {
  return output(["npm", "--loglevel=error", "--ignore-scripts", ...SHORT_TIMEOUTS, ...args]);
}

async function output(command: readonly string[]): Promise<string> {
  const child = Bun.spawn([...command], {
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 50_000,
  });
  const [printed, errors] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  if ((await child.exited) === 0) return printed;
  throw new Error(
    `cannot fetch the declarations of ${PACKAGE}; is the npm registry reachable? \`${command.join(" ")}\` ended with ${child.exitCode}: ${errors.trim().slice(0, 300)}`,
  );
}
