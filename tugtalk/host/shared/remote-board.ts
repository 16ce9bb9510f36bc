/** The sessions of other hosts and their open prompts, for a board. */
import type { OpenPrompt } from "../../client/prompt-models.ts";
import type { PromptEnd } from "../../client/reduced-session.ts";
import type { Frame } from "../api/frame.ts";
import type { Journal } from "../journal/journal.ts";
import type { PostgresJournal } from "../journal/postgres/postgres-journal.ts";
import { fromJson } from "../journal/rows.ts";
import { BOARD_ENTRIES, boardFrames, isOfPrompt } from "../sessions/board-frames.ts";
import { knownState } from "./known-state.ts";
import type { KnownSession } from "./session-rows.ts";

type FoundEntry = { readonly type: string; readonly data: string };

const ENTRIES = `
  SELECT type, data FROM entries JOIN sessions ON number = session
  WHERE id = $1 AND entries.seq > $2 AND entries.seq <= $3 AND type IN (${BOARD_ENTRIES.map((type) => `'${type}'`).join(", ")})
  ORDER BY entries.seq`;

export type BoardJournal = Journal & Pick<PostgresJournal, "query">;

export class RemoteBoard {
  readonly #journal: BoardJournal;
  readonly #tell: (frame: Frame) => void;
  readonly #prompts = new Map<string, readonly OpenPrompt[]>();
  /** The number of the last entry of each session that the board has, or does not need. */
  readonly #told = new Map<string, number>();
  /** The reads of sessions: one at a time for each. */
  readonly #reading = new Map<string, Promise<void>>();

  constructor(journal: BoardJournal, tell: (frame: Frame) => void) {
    this.#journal = journal;
    this.#tell = tell;
  }

  prompts(id: string): readonly OpenPrompt[] {
    return this.#prompts.get(id) ?? [];
  }

  /**
   * Resolves when the board has the changes of the row and its prompts. After a rejection, the next call
   * reports them as well.
   */
  async changed({ row, seq }: KnownSession): Promise<void> {
    const before = this.#reading.get(row.id)?.catch(() => {});
    const reading = Promise.resolve(before).then(() =>
      this.#read(row.id, seq, row.summary.pending),
    );
    this.#reading.set(row.id, reading);
    await reading.finally(() => {
      if (this.#reading.get(row.id) === reading) this.#reading.delete(row.id);
    });
  }

  /** This host holds the session, and has reported its changes. */
  skip({ row, seq }: KnownSession): void {
    this.#prompts.delete(row.id);
    this.#told.set(row.id, seq);
  }

  forget(id: string): void {
    this.#prompts.delete(id);
    this.#told.delete(id);
  }

  async #read(id: string, seq: number, pending: number): Promise<void> {
    const told = this.#told.get(id) ?? seq;
    this.#told.set(id, told);
    const found = told < seq ? await this.#journal.query<FoundEntry>(ENTRIES, [id, told, seq]) : [];
    const hadPrompts = this.#prompts.has(id);
    const isAboutPrompts = hadPrompts || pending > 0 || found.some(({ type }) => isOfPrompt(type));
    const ends = isAboutPrompts ? await this.#readPrompts(id) : [];
    const entries = found.map(({ type, data }) => ({
      type,
      data: fromJson<Record<string, unknown>>(data),
    }));
    for (const frame of boardFrames(id, entries, ends)) this.#tell(frame);
    this.#told.set(id, seq);
  }

  /** Reads the whole state. Gives the ends of the latest prompts. */
  async #readPrompts(id: string): Promise<readonly PromptEnd[]> {
    const { reduced } = await knownState(this.#journal, id);
    if (reduced.prompts.length > 0) this.#prompts.set(id, reduced.prompts);
    else this.#prompts.delete(id);
    return reduced.closedPrompts;
  }
}
