/** One session as signals: the state that `reduceSession` makes of its frames, and its commands. */
import { computed, type ReadonlySignal, signal } from "@preact/signals";
import type { Fields } from "../../client/claude-value.ts";
import { prependEntries } from "../../client/entry-pages.ts";
import type { SessionSnapshot } from "../../client/host-api.ts";
import type { HostCommand } from "../../client/host-routes.ts";
import { initialSession, reduceSession } from "../../client/reduce-session.ts";
import type { ReducedSession } from "../../client/reduced-session.ts";
import type { HostFrame } from "../../client/session-input.ts";
import type { Transport } from "../../client/transports/transport.ts";

/** How many older entries are fetched at a time. */
const PAGE_ENTRIES = 50;

/** `loading` before the first snapshot; `gone`: there is no such session. */
export type SessionPhase = "loading" | "open" | "gone";

export class SessionStore {
  readonly id: string;
  readonly phase: ReadonlySignal<SessionPhase>;
  /** Changes once per painted frame at most, however many messages came. */
  readonly state: ReadonlySignal<ReducedSession>;
  readonly entries: ReadonlySignal<ReducedSession["entries"]>;
  readonly openEntries: ReadonlySignal<ReducedSession["openEntries"]>;
  readonly prompts: ReadonlySignal<ReducedSession["prompts"]>;
  readonly queue: ReadonlySignal<ReducedSession["queue"]>;
  readonly returned: ReadonlySignal<ReducedSession["returned"]>;
  readonly status: ReadonlySignal<ReducedSession["status"]>;
  readonly mcpServers: ReadonlySignal<ReducedSession["mcpServers"]>;
  readonly taskList: ReadonlySignal<ReducedSession["taskList"]>;
  readonly backgroundTasks: ReadonlySignal<ReducedSession["backgroundTasks"]>;
  readonly #transport: Transport;
  readonly #phase = signal<SessionPhase>("loading");
  readonly #shown = signal(initialSession);
  readonly #unsubscribe: () => void;
  #latest = initialSession;
  #isScheduled = false;
  #older: Promise<void> | undefined;
  readonly #onPaint: typeof onNextPaint;

  constructor(transport: Transport, id: string, onPaint = onNextPaint) {
    this.id = id;
    this.#transport = transport;
    this.#onPaint = onPaint;
    this.phase = this.#phase;
    this.state = this.#shown;
    this.entries = computed(() => this.#shown.value.entries);
    this.openEntries = computed(() => this.#shown.value.openEntries);
    this.prompts = computed(() => this.#shown.value.prompts);
    this.queue = computed(() => this.#shown.value.queue);
    this.returned = computed(() => this.#shown.value.returned);
    this.status = computed(() => this.#shown.value.status);
    this.mcpServers = computed(() => this.#shown.value.mcpServers);
    this.taskList = computed(() => this.#shown.value.taskList);
    this.backgroundTasks = computed(() => this.#shown.value.backgroundTasks);
    const onRefused = () => {
      this.#phase.value = "gone";
    };
    this.#unsubscribe = transport.subscribe(id, { onRefused }, (frame) => this.#onFrame(frame));
  }

  /** Ends the subscription. */
  close(): void {
    this.#unsubscribe();
  }

  /** Runs a command on this session. Rejects with `CommandError`. */
  command(name: HostCommand, fields: Fields = {}): Promise<Fields> {
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
    this.#latest = prependEntries(this.#latest, page as Parameters<typeof prependEntries>[1]);
    this.#schedule();
  }

  #onFrame(frame: HostFrame): void {
    if (frame.t === "session-deleted") this.#phase.value = "gone";
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
      this.#shown.value = this.#latest;
      if (this.#phase.value === "loading") this.#phase.value = "open";
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
