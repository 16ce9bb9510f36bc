/**
 * An ACP agent and its surroundings in this process: the client's pipes, the Claudes of its sessions, their
 * transcripts, and a clock that moves only on request. Nothing runs by itself, so each run can be repeated.
 */
import { Agent } from "../../acp/agent.ts";
import { ClientEnd } from "../../acp/client-end.ts";
import { Bridge } from "../../src/edge/bridge.ts";
import { nextTurn, openFairFlush } from "../../src/edge/fair-turns.ts";
import type { HostEnd } from "../../src/edge/host-end.ts";
import { openHostWriter } from "../../src/ipc.ts";
import { type FakeClaude, fakeClaude, fakeClock } from "../drivers/fake-claude.ts";
import { ModelClaude } from "../model/model-claude.ts";
import { isForkIn, lastLineIn, resumedIn } from "../model/model-lines.ts";
import { type Fields, fieldsOf, type Traffic } from "../observer/observed.ts";
import { acpFaults } from "./acp-laws.ts";
import { settledSubjects, subjectOf } from "./asking-laws.ts";
import { linesOf } from "./claude-lines.ts";
import { ClientPipe } from "./client-pipe.ts";
import { FakeFiles, FakePast } from "./fake-past.ts";

/** One Claude that was started, and the model that it follows. */
type Process = {
  readonly claude: FakeClaude;
  readonly model: ModelClaude;
  isGone: boolean;
};

function hasOpenInterrupt(traffic: readonly Traffic[]): boolean {
  const open = new Set<unknown>();
  for (const { request, request_id, response } of linesOf(traffic)) {
    if (fieldsOf(request)["subtype"] === "interrupt") open.add(request_id);
    open.delete(fieldsOf(response)["request_id"]);
  }
  return open.size > 0;
}

/** A request of the agent to the client. */
type AgentRequest = { readonly id: unknown; readonly frame: Fields };

export class AcpHarness {
  readonly client = new ClientPipe();
  readonly clock = fakeClock();
  readonly processes: Process[] = [];
  /** Faults that the harness itself has found. */
  readonly faults: string[] = [];
  readonly past: FakePast;
  /** Whether a session may be in a folder. */
  checkFolder: (path: string) => Promise<void> = async () => {};
  readonly #store = new FakeFiles();
  readonly #agent: Agent;
  readonly #writer = openHostWriter(this.client.output, () => {});
  /** The batches that were read of each Claude when the client stopped reading, and which stop that was. */
  #blocked: { readonly pauses: number; readonly taken: Map<FakeClaude, number> } | undefined;
  #ids = 0;
  hasEnded = false;

  constructor(clientCapabilities: Fields = {}) {
    const store = this.#store;
    this.past = new FakePast(store);
    this.#agent = new Agent({
      client: new ClientEnd(this.#writer),
      openBridge: (_dir, host) => ({ bridge: this.#openBridge(host), release: () => {} }),
      checkFolder: (path) => this.checkFolder(path),
      flush: openFairFlush(this.#writer, nextTurn),
      drained: this.#writer.drained,
      newId: () => this.newId(),
      command: () => ["tugtalk"],
      logOut: async () => {},
      store,
      past: () => this.past,
      onFault: (message) => void this.faults.push(`a fault: ${message}`),
      hold: { isHolding: true, after: (ms, run) => this.#after(ms, run) },
    });
    this.request("initialize", { protocolVersion: 1, clientCapabilities });
  }

  /** An id that was never used here. */
  newId(): string {
    this.#ids += 1;
    return `00000000-0000-4000-8000-${String(this.#ids).padStart(12, "0")}`;
  }

  /** Sends a request; its id. */
  request(method: string, params: Fields): string {
    const id = this.newId();
    this.send({ id, method, params });
    return id;
  }

  send(frame: Fields): void {
    if (!this.hasEnded) this.client.send(this.#agent, frame);
  }

  /** Characters that wait for the client inside the agent. */
  get backlog(): number {
    return this.#writer.backlog();
  }

  /** The Claudes that are alive. */
  get alive(): readonly Process[] {
    return this.processes.filter(({ isGone }) => !isGone);
  }

  /** The frames that the agent has sent, as far as the client has read. */
  get received(): readonly Fields[] {
    return this.client.passages.flatMap(({ from, frame }) => (from === "agent" ? [frame] : []));
  }

  /** The client's requests that have no answer yet. */
  get unanswered(): readonly unknown[] {
    const answers = this.received.filter(({ method }) => method === undefined);
    const done = new Set(answers.map(({ id }) => id));
    return this.client.passages.flatMap(({ from, frame: { id, method } }) =>
      from === "client" && method !== undefined && id !== undefined && !done.has(id) ? [id] : [],
    );
  }

  /** The sessions that were begun, the oldest first. */
  get sessions(): readonly string[] {
    const ids = this.received.map(({ result }) => fieldsOf(result)["sessionId"]);
    return ids.filter((id) => typeof id === "string");
  }

  /** All requests of the agent. */
  get requests(): readonly AgentRequest[] {
    return this.received.flatMap((frame) =>
      frame["method"] !== undefined && frame["id"] !== undefined
        ? [{ id: frame["id"], frame }]
        : [],
    );
  }

  /** The requests of the agent that are neither answered nor withdrawn. */
  get openRequests(): readonly AgentRequest[] {
    const done = new Set(
      this.client.passages.map(({ from, frame }) => {
        if (from === "client") return frame["method"] === undefined ? frame["id"] : undefined;
        const isWithdrawal = frame["method"] === "$/cancel_request";
        return isWithdrawal ? fieldsOf(frame["params"])["requestId"] : undefined;
      }),
    );
    return this.requests.filter(({ id }) => !done.has(id));
  }

  /** The open requests whose answers Claude waits for. The agent is to withdraw the others. */
  get awaited(): readonly AgentRequest[] {
    const settled = settledSubjects(this.processes.map(({ claude }) => claude.traffic));
    return this.openRequests.filter(({ frame }) => !settled.has(subjectOf(frame)));
  }

  /** A Claude has not answered an interrupt. */
  get isInterrupting(): boolean {
    return this.alive.some(({ claude: { traffic } }) => hasOpenInterrupt(traffic));
  }

  /** Waits until all work is done; Claudes whose stdin has ended exit. */
  async settle(): Promise<void> {
    for (let isStable = false; !isStable; ) {
      // All pending promises settle before these callbacks.
      for (let turn = 0; turn < 3; turn += 1) await nextTurn();
      const dying = this.alive.filter(
        ({ claude }) => claude.isInputClosed() || claude.signals.length > 0,
      );
      for (const process of dying) this.exit(process);
      isStable = dying.length === 0;
    }
    this.#checkPressure();
  }

  /** Claude ends, by itself if it was not asked to. */
  exit(process: Process): void {
    process.isGone = true;
    this.past.seal(process.model.conversation);
    void process.claude.exit({ exitCode: process.claude.isInputClosed() ? 0 : 1 });
  }

  /** Claude prints lines; resolves when the agent has handled them. */
  async print({ claude }: Process, lines: readonly Fields[]): Promise<void> {
    for (const line of lines) {
      this.past.record(line);
      void claude.say(line);
      await this.settle();
    }
  }

  /** The client's input ends. */
  async end(): Promise<void> {
    const ended = this.#agent.end().then(() => {
      this.hasEnded = true;
    });
    this.client.resumeReading();
    for (let tick = 0; tick < 20 && !this.hasEnded; tick += 1) {
      await this.settle();
      this.clock.advance(2_000);
    }
    if (!this.hasEnded) this.faults.push("the agent never ends");
    else await ended;
    for (const { claude } of this.alive) this.faults.push(`process ${claude.process.pid} is left`);
  }

  /** Every guarantee that is broken so far. */
  brokenGuarantees(): string[] {
    const { passages } = this.client;
    const claudes = this.processes.map(({ claude }) => claude.traffic);
    const ownerOf = (conversation: string) => this.#store.ownerOf(conversation);
    return [...this.faults, ...acpFaults({ passages, claudes, ownerOf, isOver: this.hasEnded })];
  }

  /** A Claude is not read on while the client does not read. */
  #checkPressure(): void {
    if (!this.client.isBlocking) this.#blocked = undefined;
    else {
      const { pauses } = this.client;
      const known = this.#blocked?.pauses === pauses ? this.#blocked.taken : undefined;
      const taken = this.processes.map(({ claude }) => [claude, claude.taken()] as const);
      const first = taken.map(([claude, now]) => [claude, known?.get(claude) ?? now] as const);
      this.#blocked = { pauses, taken: new Map(first) };
      // One batch of each may have been in flight; a Claude that starts answers first.
      for (const [claude, now] of taken)
        if (known !== undefined && now > (known.get(claude) ?? now) + 1)
          this.faults.push("Claude is read while the client does not read");
    }
  }

  #after(ms: number, run: () => void): () => void {
    const timer = this.clock.setTimer(run, ms);
    return () => this.clock.clearTimer(timer);
  }

  #openBridge(host: HostEnd): Bridge {
    let lastId: string | undefined;
    const ports = {
      clock: this.clock,
      newId: () => this.newId(),
      writeSecretFile: (name: string) => `/private/${name}`,
      configure: () => {},
      past: {
        newestSessionId: async () => undefined,
        findResumePoint: async (id: string) => ({ at: id, bytes: 0 }),
        hasBranched: async () => false,
        isUnbegun: async (id: string) => !(await this.past.hasTranscript(id)),
      },
      lastSession: {
        read: async () => lastId,
        keep: (id: string) => {
          lastId = id;
        },
        settled: async () => {},
      },
      spawn: (args: readonly string[]) => this.#spawn(args),
      transcript: { next: async () => undefined, dropRestore: async () => {} },
      readPast: async () => ({ type: "session_list_result" as const, sessions: [] }),
      log: (level: string, message: string) => {
        if (level === "error") this.faults.push(`an internal error: ${message}`);
      },
      onFatal: () => {},
    };
    return new Bridge(ports, host);
  }

  #spawn(args: readonly string[]) {
    const claude = fakeClaude(
      this.processes.length + 1,
      undefined,
      () => this.client.passages.length,
    );
    const model = new ModelClaude(claude, args, "2.1.330");
    const { conversation } = model;
    if (this.alive.some((other) => other.model.conversation === conversation))
      this.faults.push(`two Claudes have the conversation ${conversation}`);
    if (isForkIn(args)) this.past.copy(resumedIn(args) ?? "", conversation, lastLineIn(args));
    this.processes.push({ claude, model, isGone: false });
    return claude.process;
  }
}
