/** The reads of a session: of its state, wherever it is, and of its journal. */
import { type EntryPage, latestEntries } from "../../client/entry-pages.ts";
import type {
  Cursor,
  QueuedMessageInfo,
  ReturnedMessage,
  SessionSnapshot,
} from "../../client/host-api.ts";
import type { OpenPrompt } from "../../client/prompt-models.ts";
import type { PromptEnd } from "../../client/reduced-session.ts";
import type { HostSession } from "../api/host-session.ts";
import type { Journal, JournalEntry, JournalRange } from "../journal/journal.ts";
import { LATEST_TURNS, turnsBefore } from "./latest-turns.ts";
import { checkOpen } from "./prompt-steps.ts";
import { notReturned } from "./returned-messages.ts";
import type { SessionState } from "./session-state.ts";
import { messageInfo, waitingIn, wholeMessage } from "./unread-messages.ts";

/** The part of a session's state that the journal alone gives. */
export type KnownState = Pick<SessionState, "cursor" | "reduced" | "attachments">;

type Reads =
  | "queue"
  | "returned"
  | "readReturned"
  | "prompts"
  | "promptOfCall"
  | "prompt"
  | "snapshot"
  | "turns"
  | "range"
  | "entriesAfter";

export class SessionReads implements Pick<HostSession, "id" | Reads> {
  readonly id: string;
  readonly #journal: Pick<Journal, "messageEnd" | "range" | "entriesAfter" | "turnsBefore">;
  readonly #state: () => Promise<KnownState>;

  /** `state` gives the state after the latest commit. */
  constructor(
    id: string,
    journal: Pick<Journal, "messageEnd" | "range" | "entriesAfter" | "turnsBefore">,
    state: () => Promise<KnownState>,
  ) {
    this.id = id;
    this.#journal = journal;
    this.#state = state;
  }

  async queue(): Promise<readonly QueuedMessageInfo[]> {
    const state = await this.#state();
    return waitingIn(state.reduced).map((one) => messageInfo(state, one));
  }

  async returned(): Promise<readonly QueuedMessageInfo[]> {
    const state = await this.#state();
    return state.reduced.returned.map((one) => messageInfo(state, one));
  }

  async readReturned(messageId: string): Promise<ReturnedMessage> {
    const state = await this.#state();
    const message = state.reduced.returned.find((one) => one.messageId === messageId);
    if (message !== undefined) return wholeMessage(state, message);
    throw notReturned((await this.#journal.messageEnd(this.id, messageId)) === "taken");
  }

  async prompts(): Promise<readonly OpenPrompt[]> {
    return (await this.#state()).reduced.prompts;
  }

  async promptOfCall(toolUseId: string): Promise<OpenPrompt | PromptEnd | undefined> {
    const { prompts, closedPrompts } = (await this.#state()).reduced;
    const isOfCall = (prompt: OpenPrompt | PromptEnd) => prompt.toolUseId === toolUseId;
    return prompts.findLast(isOfCall) ?? closedPrompts.findLast(isOfCall);
  }

  async prompt(requestId: string): Promise<OpenPrompt> {
    const { reduced } = await this.#state();
    checkOpen(reduced, requestId);
    return reduced.prompts.find((one) => one.requestId === requestId) as OpenPrompt;
  }

  async snapshot(): Promise<SessionSnapshot> {
    const { reduced, cursor } = await this.#state();
    const state = latestEntries(reduced, LATEST_TURNS);
    const { before } = state;
    return { cursor, state, ...(before !== undefined && { before }) };
  }

  async turns(before: string | undefined, limit: number): Promise<EntryPage> {
    const { reduced } = await this.#state();
    return turnsBefore({ id: this.id, reduced, journal: this.#journal }, before, limit);
  }

  /** Asks the journal: this host may still wait for the answer of a commit that others read already. */
  async range(): Promise<JournalRange> {
    await this.#state();
    return this.#journal.range(this.id);
  }

  entriesAfter(after: Cursor, maxChars: number): Promise<readonly JournalEntry[] | "gap"> {
    return this.#journal.entriesAfter(this.id, after, maxChars);
  }
}
