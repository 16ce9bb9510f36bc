/**
 * The files that the tools of a conversation have changed since each user message, for `rewind_files`. The
 * tools only seem to run, so no file is put back. Protocol reference §19.
 */
import { type Fields, isJsonObject } from "../src/base/json.ts";
import { textOf } from "./json-value.ts";

type Change = { readonly path: string; readonly added: number; readonly removed: number };

export class Checkpoints {
  readonly isEnabled: boolean;
  readonly #since = new Map<string, Change[]>();

  constructor(isEnabled: boolean) {
    this.isEnabled = isEnabled;
  }

  /** A user message begins a turn. */
  add(uuid: string): void {
    this.#since.set(uuid, []);
  }

  /** A line is printed. */
  record({ tool_use_result: result }: Fields): void {
    const path = textOf(result, "filePath");
    if (!isJsonObject(result) || path === undefined || !Array.isArray(result["structuredPatch"]))
      return;
    const lines = result["structuredPatch"].flatMap((hunk) => hunk.lines as readonly string[]);
    const count = (sign: string) => lines.filter((line) => line.startsWith(sign)).length;
    const written = result["type"] === "create" ? linesOf(textOf(result, "content") ?? "") : 0;
    const change = { path, added: count("+") + written, removed: count("-") };
    for (const changes of this.#since.values()) changes.push(change);
  }

  /** The answer to a dry run; undefined for an unknown message. */
  preview(uuid: string): Fields | undefined {
    const changes = this.#since.get(uuid);
    if (changes === undefined) return undefined;
    const sum = (part: "added" | "removed") =>
      changes.reduce((total, change) => total + change[part], 0);
    return {
      canRewind: true,
      filesChanged: [...new Set(changes.map(({ path }) => path))],
      insertions: sum("removed"),
      deletions: sum("added"),
    };
  }

  /** Files are as before this message, and again have their versions since earlier ones. */
  rewind(uuid: string): void {
    const undone = new Set(this.#since.get(uuid));
    for (const [id, changes] of this.#since)
      this.#since.set(
        id,
        changes.filter((change) => !undone.has(change)),
      );
  }
}

function linesOf(text: string): number {
  return text === "" ? 0 : text.replace(/\n$/, "").split("\n").length;
}
