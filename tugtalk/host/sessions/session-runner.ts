/**
 * Runs the steps of one session. It takes all waiting inputs, commits their entries together, and only then
 * notifies the listeners, answers the commands and writes to the bridge. While a commit is on its way, inputs
 * gather. A step whose entries the journal does not take has no effect.
 */
import { type ApiError, unknownSession } from "../api/api-error.ts";
import { entryFrame, type Frame } from "../api/frame.ts";
import type { Commit, Journal, JournalEntry, SessionRow } from "../journal/journal.ts";
import { JournalError } from "../journal/journal-error.ts";
import { Listeners } from "./listeners.ts";
import { loadState } from "./loaded-state.ts";
import type { SessionInput } from "./session-input.ts";
import {
  type BridgeStatus,
  type NewEntry,
  NO_BRIDGE,
  type Reply,
  type SessionState,
} from "./session-state.ts";
import { step } from "./step.ts";
import { commitOf, isEmpty } from "./step-commit.ts";
import { type ContextPorts, readContext } from "./step-context.ts";
import type { BridgeEffect, StepDraft } from "./step-draft.ts";

export type RunnerPorts = ContextPorts & {
  readonly journal: Journal;
  /** Called after each commit with the state and its entries. */
  readonly onCommit: (state: SessionState, entries: readonly NewEntry[]) => void;
  readonly perform: (effect: BridgeEffect) => void;
  /** The journal of the session cannot be read. */
  readonly onDamage: (error: unknown) => void;
};

type Waiting = {
  readonly input: SessionInput;
  /** The input was refused, or the journal did not take its commit. */
  readonly fail: (error: unknown) => void;
  readonly done?: () => void;
};

export class SessionRunner {
  readonly #ports: RunnerPorts;
  readonly #listeners = new Listeners<readonly Frame[]>();
  #row: SessionRow;
  /** In memory only while somebody needs it. */
  #state: SessionState | undefined;
  #loading: Promise<SessionState> | undefined;
  #bridge: BridgeStatus = NO_BRIDGE;
  #inputs: Waiting[] = [];
  /** The inputs of the commit that is on its way. */
  #taken: readonly Waiting[] = [];
  #running: Promise<void> | undefined;
  /** The commit that is on its way. */
  #committing: Promise<void> | undefined;
  #isLeaving = false;
  /** The reason why the session accepts no further input. */
  #gone: ApiError | undefined;

  constructor(ports: RunnerPorts, row: SessionRow) {
    this.#ports = ports;
    this.#row = row;
  }

  get row(): SessionRow {
    return this.#row;
  }

  /**
   * The state after the latest commit. Reading it does not keep it in memory. Rejects with a
   * `DamagedSessionError`.
   */
  async state(): Promise<SessionState> {
    const state = await this.#loaded();
    this.#rest();
    return state;
  }

  async #loaded(): Promise<SessionState> {
    if (this.#state !== undefined) return this.#state;
    if (this.#gone !== undefined) throw this.#gone;
    this.#loading ??= this.#load().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  /** Resolves when the commit that is on its way is written, or has failed. */
  async committed(): Promise<void> {
    await this.#committing?.catch(() => {});
  }

  /** Gives the answer to a command once its entries are in the journal. */
  ask<Value>(input: (reply: Reply<Value>) => SessionInput): Promise<Value> {
    const { promise, resolve, reject } = Promise.withResolvers<Value>();
    const asked = input({ resolve, reject });
    if (this.#isLeaving && asked.kind !== "close") reject(unknownSession());
    else this.#enqueue({ input: asked, fail: reject });
    return promise;
  }

  /** Resolves when the entries of the input are in the journal. */
  push(input: SessionInput): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#enqueue({ input, fail: reject, done: resolve });
    return promise;
  }

  /**
   * Nobody waits for this input; `done` is called when its entries are in the journal. If the journal does
   * not take them, the host ends.
   */
  tell(input: SessionInput, done?: () => void): void {
    const fail = (error: unknown) => {
      if (this.#gone !== undefined) return;
      setImmediate(() => {
        throw error;
      });
    };
    this.#enqueue({ input, fail, ...(done !== undefined && { done }) });
  }

  /** Calls back with the frames of each commit from now on. Gives the function that ends this. */
  listen(onFrames: (frames: readonly Frame[]) => void): () => void {
    const stop = this.#listeners.add(onFrames);
    return () => {
      stop();
      this.#rest();
    };
  }

  /** Takes the waiting inputs. Then the state leaves the memory if nobody needs it. */
  #rest(): void {
    this.#running ??= this.#run();
  }

  /** Resolves when all accepted inputs are in the journal. */
  async settled(): Promise<void> {
    await this.#running;
  }

  /**
   * Called before the session is deleted: refuses all commands but the closing one, and drops entries that a
   * full disk does not take.
   */
  leave(): void {
    this.#isLeaving = true;
  }

  /** The journal of the session is deleted. Sends this frame to the listeners. */
  forget(deleted: Frame): void {
    this.abandon(unknownSession());
    this.#listeners.tell([deleted]);
  }

  /**
   * The session accepts no further input: commands are rejected, and those of the commit that is on its way
   * with `whyUnsure`.
   */
  abandon(why: ApiError, whyUnsure = why): void {
    this.#gone = why;
    this.#state = undefined;
    for (const { fail } of this.#taken) fail(this.#committing === undefined ? why : whyUnsure);
    for (const { fail } of this.#inputs.splice(0)) fail(why);
  }

  #enqueue(waiting: Waiting): void {
    if (this.#gone === undefined) {
      this.#inputs.push(waiting);
      this.#rest();
    } else waiting.fail(this.#gone);
  }

  async #run(): Promise<void> {
    do {
      while (this.#inputs.length > 0) await this.#runAll(this.#inputs.splice(0));
      await this.#unload();
    } while (this.#inputs.length > 0);
    this.#running = undefined;
  }

  async #runAll(inputs: readonly Waiting[]): Promise<void> {
    const taken: Waiting[] = [];
    this.#taken = inputs;
    try {
      const state = await this.#loaded();
      const drafts: StepDraft[] = [];
      for (const waiting of inputs) {
        const draft = await this.#step(state, drafts, waiting);
        if (draft === undefined) continue;
        drafts.push(draft);
        taken.push(waiting);
      }
      this.#committing = this.#commit(state, drafts);
      await this.#committing;
      for (const { done } of taken) done?.();
    } catch (error) {
      // The state is the one before the failed commit.
      for (const { fail } of taken.length > 0 ? taken : inputs) fail(this.#gone ?? error);
    }
    this.#taken = [];
    this.#committing = undefined;
  }

  /** Adds a step to those that are not written yet. Undefined for a refused command. */
  async #step(
    committed: SessionState,
    drafts: readonly StepDraft[],
    { input, fail }: Waiting,
  ): Promise<StepDraft | undefined> {
    const state = drafts.at(-1)?.state ?? committed;
    try {
      return step(state, input, await readContext(this.#ports, state, drafts, input));
    } catch (error) {
      fail(error);
      return undefined;
    }
  }

  async #commit(before: SessionState, drafts: readonly StepDraft[]): Promise<void> {
    const commit = commitOf(before, drafts);
    if (commit === undefined) return;
    const { change, state, entries } = commit;
    // This host may hold the session again, with another state.
    if (this.#gone !== undefined) throw this.#gone;
    const written = await this.#write(change);
    if (this.#gone !== undefined) throw this.#gone;
    // A journal that was trimmed before these entries has a new epoch from them on.
    const { epoch } = written.at(-1) ?? state.cursor;
    const next = { ...state, cursor: { ...state.cursor, epoch } };
    this.#setState(next);
    this.#ports.onCommit(next, entries);
    if (written.length > 0)
      this.#listeners.tell(written.map((entry) => entryFrame(this.#row.id, entry)));
    for (const effect of drafts.flatMap(({ effects }) => effects)) {
      if (effect.kind === "reply") effect.settle();
      else this.#ports.perform(effect);
    }
  }

  /** Writes no commit if there is nothing to write. */
  async #write(change: Commit): Promise<readonly JournalEntry[]> {
    if (isEmpty(change)) return [];
    try {
      return await this.#ports.journal.commit(this.#row.id, change);
    } catch (error) {
      if (this.#isLeaving && error instanceof JournalError) return [];
      throw error;
    }
  }

  #setState(state: SessionState): void {
    if (this.#gone !== undefined) return;
    this.#state = state;
    this.#row = state.row;
    this.#bridge = state.bridge;
  }

  async #load(): Promise<SessionState> {
    const { journal, onDamage } = this.#ports;
    const { id } = this.#row;
    try {
      const loaded = await journal.load(id);
      if (loaded === undefined) throw new Error(`the journal has no session ${id}`);
      const { state: reduced, entries: sinceSnapshot } = await loadState(journal, id);
      const volatile = { bridge: this.#bridge, deferred: [], claims: new Map() };
      const state = { ...loaded, reduced, sinceSnapshot, ...volatile };
      this.#setState(state);
      return state;
    } catch (error) {
      onDamage(error);
      throw error;
    }
  }

  /** Drops the state of an ended session, which nobody needs, unless the disk does not take its snapshot. */
  async #unload(): Promise<void> {
    const state = this.#state;
    if (state === undefined || this.#isLeaving || this.#listeners.size > 0) return;
    if (state.bridge.phase !== "none") return;
    try {
      if (state.sinceSnapshot > 0)
        await this.#ports.journal.commit(this.#row.id, { snapshot: state.reduced });
    } catch (error) {
      if (error instanceof JournalError) return;
      throw error;
    }
    if (this.#gone !== undefined) return;
    if (this.#inputs.length === 0 && this.#listeners.size === 0) this.#state = undefined;
    else this.#state = { ...state, sinceSnapshot: 0 };
  }
}
