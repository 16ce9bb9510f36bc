/**
 * Finds kinds in the published declarations of Claude that tugtalk does not know. Reads the type
 * declarations of one pinned version; nothing of the package is run.
 */
import { join } from "node:path";
import { IGNORED_KINDS } from "../../replay/ignored-kinds.ts";
import { parseClaudeMessage } from "../../src/claude/claude-line.ts";
import { CONTROL_SUBTYPES, OWN_REQUESTS, WITHHELD } from "../../src/messages/control-subtypes.ts";
import { installPackage, runNpm } from "../drivers/installed-package.ts";
import { type DeclaredKinds, declaredKinds } from "./declared-kinds.ts";
import { KIND_FIXTURES } from "./kind-fixtures.ts";
import { MAPPED } from "./mapped-kinds.ts";

const PACKAGE = "@anthropic-ai/claude-agent-sdk";

/** The version whose declarations must be known completely. */
export const PINNED = "0.3.330";

/**
 * A message is known if it has a fixture that parses and an outbound message, or is an ignored kind. A
 * request is known if a host may send it, tugtalk sends it, it is withheld, or Claude sends it to us.
 */
function knownKinds(): { messages: readonly string[]; requests: ReadonlySet<string> } {
  const parsed = KIND_FIXTURES.filter(({ line }) => parseClaudeMessage(line).type !== "unknown");
  const emitted = parsed.map(({ kind }) => kind).filter((kind) => Object.hasOwn(MAPPED, kind));
  const asked = emitted.flatMap((kind) => /^control_request\/(\w+)$/.exec(kind)?.[1] ?? []);
  const tables = [CONTROL_SUBTYPES, OWN_REQUESTS, WITHHELD];
  return {
    messages: [...emitted, ...Object.keys(IGNORED_KINDS)],
    requests: new Set([...asked, ...tables.flatMap((table) => Object.keys(table))]),
  };
}

/** The declared kinds that are not known. A kind counts as known if a known one divides it further. */
export function drift({ messages, requests }: DeclaredKinds): string[] {
  const known = knownKinds();
  const isKnown = (kind: string) => known.messages.some((one) => `${one}/`.startsWith(`${kind}/`));
  return [
    ...messages.filter((kind) => !isKnown(kind)).map((kind) => `message ${kind}`),
    ...requests
      .filter((name) => !known.requests.has(name))
      .map((name) => `control request ${name}`),
  ];
}

/** The newest published version. */
export async function newestVersion(): Promise<string> {
  return (await runNpm(["view", PACKAGE, "version"])).trim();
}

/** The declarations of a version, fetched once. Throws if they cannot be fetched. */
export async function declarationsOf(version: string): Promise<DeclaredKinds> {
  const { path } = await installPackage(PACKAGE, version, ["--omit=optional"]);
  return declaredKinds(await Bun.file(join(path, "sdk.d.ts")).text());
}
