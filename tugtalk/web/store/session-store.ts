/** One session as signals: the state that `reduceSession` makes of its frames, and its commands. */
import { computed, signal } from "@preact/signals";
import type { Fields } from "../../client/claude-value.ts";
import type { CommandAnswers } from "../../client/command-answers.ts";
import type { SessionArguments, SessionCommand } from "../../client/command-arguments.ts";
import { prependEntries } from "../../client/entry-pages.ts";
import type { SessionSnapshot } from "../../client/host-api.ts";
import { initialSession, reduceSession } from "../../client/reduce-session.ts";
import type { ReducedSession } from "../../client/reduced-session.ts";
import { lostCommands } from "../../client/rewound-entries.ts";
import type { HostFrame } from "../../client/session-input.ts";
import type { Transport } from "../../client/transports/transport.ts";

/** How many older entries are fetched at a time. */
const PAGE_ENTRIES = 50;

/** `loading` before the first snapshot; `gone`: there is no such session. */
type SessionPhase = "loading" | "open" | "gone";

export class SessionStore {
  readonly id: string;
  readonly phase = signal<SessionPhase>("loading");
  /** Changes once per painted frame at most, however many messages came. */
  readonly state = signal(initialSession);
  readonly entries = computed(() => this.state.value.entries);
  readonly openEntries = computed(() => this.state.value.openEntries);
  readonly prompts = computed(() => this.state.value.prompts);
  readonly queue = computed(() => this.state.value.queue);
  readonly returned = computed(() => this.state.value.returned);
  readonly status = computed(() => this.state.value.status);
  readonly mcpServers = computed(() => this.state.value.mcpServers);
  readonly taskList = computed(() => this.state.value.taskList);
  readonly backgroundTasks = computed(() => this.state.value.backgroundTasks);
  readonly losesCommands = computed(() => lostCommands(this.state.value) === "all");
  /** Nothing was said in it. */
  readonly isEmpty = computed(
    () =>
      this.phase.value === "open" &&
      this.entries.value.length + this.openEntries.value.length === 0,
  );
  readonly #transport: Transport;
  readonly #unsubscribe: () => void;
  #latest = initialSession;
  #isScheduled = false;
  #older: Promise<void> | undefined;
  readonly #onPaint: typeof onNextPaint;

  constructor(transport: Transport, id: string, onPaint = onNextPaint) {
    this.id = id;
    this.#transport = transport;
    this.#onPaint = onPaint;
    const onRefused = () => {
      this.phase.value = "gone";
    };
    this.#unsubscribe = transport.subscribe(id, { onRefused }, (frame) => this.#onFrame(frame));
  }

  /** All that was told, also what is painted next. */
  get latest(): ReducedSession {
    return this.#latest;
  }

  /** Ends the subscription. */
  close(): void {
    this.#unsubscribe();
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

  async #fetchOlder(): Promise<void> {
    const { before } = this.#latest;
    if (before === undefined) return;
    const page = await this.command("turns", { before, limit: PAGE_ENTRIES });
    // A snapshot that came meanwhile has another beginning.
    if (this.#latest.before !== before) return;
    this.#latest = prependEntries(this.#latest, page);
    this.#schedule();
  }

  #onFrame(frame: HostFrame): void {
    if (frame.t === "session_deleted") this.phase.value = "gone";
    this.#latest = reduceSession(this.#latest, frame);
    if (frame.t === "snapshot") this.#latest = withCursor(this.#latest, frame);
    // How a subscription begins says nothing of the session yet.
    if (frame.t !== "resume") this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#onPaint(() => {
      this.#isScheduled = false;
      this.state.value = this.#latest;
      if (this.phase.value === "loading") this.phase.value = "open";
    });
  }
}

/** The cursor of the older turns is beside the state of a snapshot. */
function withCursor(state: ReducedSession, { d }: HostFrame): ReducedSession {
  const { before } = d as SessionSnapshot;
  return before === undefined || state.before !== undefined ? state : { ...state, before };
}

/** A page that is not shown, or is hidden before it is painted, should still follow what happens. */
const HIDDEN_MS = 250;

function onNextPaint(run: () => void): void {
  const frame = requestAnimationFrame(() => {
    clearTimeout(timer);
    run();
  });
  const timer = setTimeout(() => {
    cancelAnimationFrame(frame);
    run();
  }, HIDDEN_MS);
}
