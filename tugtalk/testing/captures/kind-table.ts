/** The kinds of line in many captures, and the messages that they led to. */

import { IGNORED_KINDS } from "../../replay/ignored-kinds.ts";
import type { Fields } from "../../src/base/json.ts";
import type { Emitted } from "../drivers/session-records.ts";
import { kindsOf } from "./line-kinds.ts";
import { MAPPED } from "./mapped-kinds.ts";

/** The messages that a line of any kind may lead to: receipts, and the bounds of turns and blocks. */
export const ALWAYS_ALLOWED = new Set([
  "turn_started",
  "session_state",
  "message_status",
  "message_complete",
  "session_init",
]);

export class KindTable {
  /** The types of the messages, by the kind of the line. */
  readonly #emitted = new Map<string, Set<string>>();

  /** Adds one line of a capture, and the messages that it led to. */
  record(line: Fields, emitted: readonly Emitted[]): void {
    // Without a newline.
    if (typeof line["type"] !== "string") return;
    const types = emitted.filter(isOfLine).map(({ type }) => type);
    for (const kind of kindsOf(line))
      this.#emitted.set(kind, new Set([...(this.#emitted.get(kind) ?? []), ...types]));
  }

  /** Unknown kinds, and messages that the registry does not list for their kind. */
  get faults(): string[] {
    return [...this.#emitted].flatMap(([kind, emitted]) => {
      const names: readonly string[] | undefined = MAPPED[kind] ?? ignored(kind);
      if (names === undefined) return [`unknown: ${kind}`];
      return [...emitted]
        .filter((type) => !names.includes(type))
        .map((type) => `${kind} led to ${type}`);
    });
  }
}

/** No messages for an ignored kind; undefined for any other. */
function ignored(kind: string): readonly string[] | undefined {
  return Object.hasOwn(IGNORED_KINDS, kind) ? [] : undefined;
}

/** An abandoned block belongs to an earlier line, and a host message is repeated when it starts. */
function isOfLine(message: Emitted): boolean {
  const isAbandoned = "status" in message && message.status === "abandoned";
  const isHosts = message.type === "user_text" && message.kind === "host";
  return !isAbandoned && !isHosts && !ALWAYS_ALLOWED.has(message.type);
}
