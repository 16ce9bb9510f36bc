/** One session: the state that `reduceSession` makes of its frames, and its commands. */
import type { Fields } from "../claude-value.ts";
import type { CommandAnswers } from "../command-answers.ts";
import type { SessionArguments, SessionCommand } from "../command-arguments.ts";
import { prependEntries } from "../entry-pages.ts";
import { initialSession, reduceSession } from "../reduce-session.ts";
import type { ReducedSession } from "../reduced-session.ts";
import type { HostFrame } from "../session-input.ts";
import { SESSION_DELETED } from "../transports/subscriptions.ts";
import type { CommandError } from "../transports/transport.ts";
import { type Schedule, SharedStore, type StoreTransport } from "./shared-store.ts";

/** How many older entries are fetched at a time. */
const PAGE_ENTRIES = 50;

export type FollowedSession = {
  /** `loading` before the first snapshot; `gone`: the host does not have the session, or refuses it. */
  readonly phase: "loading" | "open" | "gone";
  /** Why the host refuses it. */
  readonly error?: CommandError;
  /** The last known state. */
  readonly state: ReducedSession;
};

const LOADING: FollowedSession = { phase: "loading", state: initialSession };

/** Its readers share one subscription. If the session is gone, the next first reader subscribes again. */
export class SessionStore extends SharedStore<FollowedSession> {
  readonly id: string;
  readonly #transport: StoreTransport;
  #older: Promise<void> | undefined;

  constructor(transport: StoreTransport, id: string, schedule: Schedule) {
    super(LOADING, schedule);
    this.id = id;
    this.#transport = transport;
  }

  /** Runs a command on this session. Rejects with `CommandError`. */
  command<Name extends SessionCommand>(
    name: Name,
    ...fields: SessionArguments<Name>
  ): Promise<CommandAnswers[Name]>;
  command(name: SessionCommand, fields?: Fields): Promise<Fields> {
    return this.#transport.command(name, { ...fields, id: this.id });
  }

  /** Puts a page of older entries in front, if there are any. */
  loadOlder(): Promise<void> {
    this.#older ??= this.#fetchOlder().finally(() => {
      this.#older = undefined;
    });
    return this.#older;
  }

  protected open(): () => void {
    const onRefused = (error: CommandError) =>
      this.set({ phase: "gone", error, state: this.get().state });
    return this.#transport.subscribe(this.id, { onRefused }, (frame) => this.#take(frame));
  }

  async #fetchOlder(): Promise<void> {
    const { before } = this.get().state;
    if (before === undefined) return;
    const page = await this.command("turns", { before, limit: PAGE_ENTRIES });
    const { state } = this.get();
    // A snapshot that came meanwhile has another beginning.
    if (state.before === before) this.set({ ...this.get(), state: prependEntries(state, page) });
  }

  #take(frame: HostFrame): void {
    const { phase, state } = this.get();
    const next = reduceSession(state, frame);
    if (frame.t === SESSION_DELETED) this.set({ phase: "gone", state });
    else if (next !== state)
      this.set({ phase: frame.t === "snapshot" ? "open" : phase, state: next });
  }
}
