/** The list of sessions: of each its row as the journal has it, its info, and its open prompts. */
import type { SessionInfo } from "../../client/host-api.ts";
import type { OpenPrompt } from "../../client/prompt-models.ts";
import { unknownSession } from "../api/api-error.ts";
import type { SessionRow } from "../journal/journal.ts";
import { sessionInfo } from "./session-summary.ts";

export class SessionList {
  readonly #rows = new Map<string, SessionRow>();
  readonly #infos = new Map<string, SessionInfo>();
  /** The prompts of the sessions that have any. */
  readonly #prompts = new Map<string, readonly OpenPrompt[]>();

  get size(): number {
    return this.#rows.size;
  }

  get rows(): readonly SessionRow[] {
    return [...this.#rows.values()];
  }

  /** Infos, latest first. */
  get infos(): readonly SessionInfo[] {
    return [...this.#infos.values()].sort((one, other) => other.created_at - one.created_at);
  }

  row(id: string): SessionRow | undefined {
    return this.#rows.get(id);
  }

  /** Throws an `ApiError` 404. */
  info(id: string): SessionInfo {
    const info = this.#infos.get(id);
    if (info === undefined) throw unknownSession();
    return info;
  }

  prompts(id: string): readonly OpenPrompt[] {
    return this.#prompts.get(id) ?? [];
  }

  set(row: SessionRow): void {
    if (this.#rows.get(row.id) === row) return;
    this.#rows.set(row.id, row);
    this.#infos.set(row.id, sessionInfo(row));
  }

  setPrompts(id: string, prompts: readonly OpenPrompt[]): void {
    if (prompts.length > 0) this.#prompts.set(id, prompts);
    else this.#prompts.delete(id);
  }

  /** Marks a session as unreadable in the list. */
  setDamaged(id: string, lastError: string): void {
    const row = this.#rows.get(id);
    if (row === undefined) return;
    const failed = { state: "failed", pending: 0, lastError } as const;
    this.set({ ...row, isDamaged: true, summary: { ...row.summary, ...failed } });
  }

  delete(id: string): void {
    this.#rows.delete(id);
    this.#infos.delete(id);
    this.#prompts.delete(id);
  }
}
