/** Over many captures: which kinds of line there were, on which versions, and what was told of them. */

import { IGNORED_KINDS } from "../../src/messages/ignored-kinds.ts";
import type { Emitted } from "../drivers/test-session.ts";
import { kindsOf } from "./line-kinds.ts";
import { MAPPED } from "./mapped-kinds.ts";

type Fields = Readonly<Record<string, unknown>>;

type Row = { readonly counts: Map<string, number>; readonly emitted: Set<string> };

/** What any line may lead to: receipts, the state, and the bounds of turns and of broken blocks. */
const BESIDES = new Set(["turn_started", "session_state", "message_status", "session_init"]);

/** The table. Shown every line of every capture. */
export class KindTable {
  readonly #rows = new Map<string, Row>();

  /** Notes one line of a capture of this version, and what the host was told because of it. */
  note(version: string, line: Fields, emitted: readonly Emitted[]): void {
    // What the recorder left out, or what had no newline, is no line.
    if (typeof line["type"] !== "string") return;
    const heard = emitted.filter(isOfLine).map(({ type }) => type);
    const kinds = kindsOf(line);
    for (const kind of kinds) this.#noteKind(kind, version, heard);
  }

  /** The kinds that no registry knows, and what was told that the registry does not foresee. */
  get faults(): string[] {
    return [...this.#rows].flatMap(([kind, { emitted }]) => {
      const names: readonly string[] | undefined = MAPPED[kind] ?? meaningless(kind);
      if (names === undefined) return [`unknown: ${kind}`];
      return [...emitted]
        .filter((type) => !names.includes(type))
        .map((type) => `${kind} was told as ${type}`);
    });
  }

  /** One line for each kind, sorted: how often each version printed it, and what is told of it. */
  format(): string {
    const versions = [
      ...new Set([...this.#rows.values()].flatMap(({ counts }) => [...counts.keys()])),
    ];
    versions.sort((one, other) => one.localeCompare(other, "en", { numeric: true }));
    const rows = [...this.#rows].sort(([one], [other]) => (one < other ? -1 : 1));
    const cells = rows.map(([kind, { counts }]) => [
      kind,
      ...versions.map((version) => String(counts.get(version) ?? 0)),
      (MAPPED[kind] ?? meaningless(kind) ?? ["UNKNOWN"]).join(", ") || "(nothing)",
    ]);
    return align([["kind", ...versions, "told as"], ...cells]);
  }

  #noteKind(kind: string, version: string, heard: readonly string[]): void {
    const row = this.#rows.get(kind) ?? { counts: new Map(), emitted: new Set() };
    this.#rows.set(kind, row);
    row.counts.set(version, (row.counts.get(version) ?? 0) + 1);
    for (const type of heard) row.emitted.add(type);
  }
}

/** A kind that leads to nothing; undefined for one that is not on the list. */
function meaningless(kind: string): readonly string[] | undefined {
  return Object.hasOwn(IGNORED_KINDS, kind) ? [] : undefined;
}

/** An abandoned block is the end of an earlier one, and a host's message is said when it starts. */
function isOfLine(message: Emitted): boolean {
  const isAbandoned = "status" in message && message.status === "abandoned";
  const isHosts = message.type === "user_text" && message.kind === "host";
  return !isAbandoned && !isHosts && !BESIDES.has(message.type);
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
