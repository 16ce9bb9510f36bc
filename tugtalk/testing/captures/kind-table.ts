/** Counts the kinds of line in many captures, by version, with the messages that they led to. */

import type { Fields } from "../../src/base/json.ts";
import { IGNORED_KINDS } from "../../src/messages/ignored-kinds.ts";
import type { Emitted } from "../drivers/test-session.ts";
import { kindsOf } from "./line-kinds.ts";
import { MAPPED } from "./mapped-kinds.ts";

type Row = { readonly counts: Map<string, number>; readonly emitted: Set<string> };

/** Messages that any line may lead to. */
const ALWAYS_ALLOWED = new Set([
  "turn_started",
  "session_state",
  "message_status",
  "message_complete",
  "session_init",
]);

export class KindTable {
  readonly #rows = new Map<string, Row>();

  /** Adds one line of a capture of this version, and the messages that it led to. */
  record(version: string, line: Fields, emitted: readonly Emitted[]): void {
    // Left out by the recorder, or without a newline.
    if (typeof line["type"] !== "string") return;
    const types = emitted.filter(isOfLine).map(({ type }) => type);
    const kinds = kindsOf(line);
    for (const kind of kinds) this.#recordKind(kind, version, types);
  }

  /** Unknown kinds, and messages that the registry does not list for their kind. */
  get faults(): string[] {
    return [...this.#rows].flatMap(([kind, { emitted }]) => {
      const names: readonly string[] | undefined = MAPPED[kind] ?? ignored(kind);
      if (names === undefined) return [`unknown: ${kind}`];
      return [...emitted]
        .filter((type) => !names.includes(type))
        .map((type) => `${kind} led to ${type}`);
    });
  }

  /** One row for each kind: how often each version printed it, and the messages that it can lead to. */
  format(): string {
    const versions = [
      ...new Set([...this.#rows.values()].flatMap(({ counts }) => [...counts.keys()])),
    ];
    versions.sort((one, other) => one.localeCompare(other, "en", { numeric: true }));
    const rows = [...this.#rows].sort(([one], [other]) => (one < other ? -1 : 1));
    const cells = rows.map(([kind, { counts }]) => [
      kind,
      ...versions.map((version) => String(counts.get(version) ?? 0)),
      (MAPPED[kind] ?? ignored(kind) ?? ["UNKNOWN"]).join(", ") || "(nothing)",
    ]);
    return align([["kind", ...versions, "leads to"], ...cells]);
  }

  #recordKind(kind: string, version: string, types: readonly string[]): void {
    const row = this.#rows.get(kind) ?? { counts: new Map(), emitted: new Set() };
    this.#rows.set(kind, row);
    row.counts.set(version, (row.counts.get(version) ?? 0) + 1);
    for (const type of types) row.emitted.add(type);
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

function align(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
