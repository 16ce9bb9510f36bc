/** A session with a fake Claude behind it and an array in front of it. */
import type { ClaudeProcess } from "../../src/claude/claude-process-port.ts";
import { IPC_VERSION } from "../../src/messages/envelope.ts";
import type { ResumePoint } from "../../src/messages/history-messages.ts";
import type { ProtocolInit } from "../../src/messages/protocol-init.ts";
import type { RepeatedMessage } from "../../src/messages/repeated-message.ts";
import { SessionManager } from "../../src/session.ts";
import type { OutboundDraft } from "../../src/types.ts";
import { openDraftCheck } from "./emitted-lines.ts";
import {
  type FakeClaude,
  type FakeClock,
  fakeClaude,
  fakeClock,
  settlePromises,
} from "./fake-claude.ts";

export type Emitted = OutboundDraft & { readonly seq: number; readonly ipc_version: number };

export type TestSession = {
  readonly session: SessionManager;
  /** The messages to the host, with the fields that the writer adds. */
  readonly emitted: readonly Emitted[];
  /** How many of them were emitted as repeated ones. */
  readonly repeatedCount: () => number;
  readonly clock: FakeClock;
  /** Each Claude that was started, the newest last. */
  readonly claudes: readonly FakeClaude[];
  /** The arguments of each start. */
  readonly starts: readonly (readonly string[])[];
  readonly claude: () => FakeClaude;
  /** The session ids that were stored for the next bridge. */
  readonly kept: readonly string[];
  /** The arguments of each search for a place. */
  readonly placesAsked: readonly (readonly string[])[];
  readonly isFatal: () => boolean;
  /** The next message to the host, or the next of this type, throws: stands for any internal error. */
  readonly failNextEmit: (type?: OutboundDraft["type"] | "any") => void;
  /** Waits until starts and ends in progress are done. */
  readonly settle: () => Promise<void>;
  /** Answers the newest Claude's `initialize`. */
  readonly initialize: (response?: Record<string, unknown>) => Promise<void>;
};

/** How a test starts a session. */
export type TestSessionOptions = {
  readonly init?: Partial<ProtocolInit>;
  readonly newestSessionId?: string;
  /** The conversation of the last bridge. */
  readonly lastSessionId?: string;
  /** Where the message of `at_message` is in the transcript, and whether Claude has answered since. */
  readonly place?: ResumePoint;
  readonly hasBranched?: boolean;
  /** No folder has a transcript. */
  readonly isUnbegun?: boolean;
  /** Whether Claude answers `initialize` at once. Default true. */
  readonly isReady?: boolean;
  /** Resolves when the host reads again; by default it always reads. */
  readonly drained?: () => Promise<void> | undefined;
  /** Called on an internal error; by default the test fails. */
  readonly onFault?: (message: string) => void;
};

/** What the session has done so far, as its ports saw it. */
class Records {
  readonly emitted: Emitted[] = [];
  readonly claudes: FakeClaude[] = [];
  readonly starts: (readonly string[])[] = [];
  readonly kept: string[] = [];
  readonly placesAsked: string[][] = [];
  readonly clock = fakeClock();
  failing: OutboundDraft["type"] | "any" | undefined;
  isFatal = false;
  repeatedCount = 0;
  readonly #check = openDraftCheck();
  #ids = 0;

  newId(): string {
    this.#ids += 1;
    return `00000000-0000-4000-8000-${String(this.#ids).padStart(12, "0")}`;
  }

  spawn(args: readonly string[]): ClaudeProcess {
    this.starts.push(args);
    const claude = fakeClaude(this.claudes.length + 1);
    this.claudes.push(claude);
    return claude.process;
  }

  emit(message: OutboundDraft): void {
    if (this.failing === "any" || this.failing === message.type) {
      this.failing = undefined;
      throw new Error("an internal error");
    }
    this.#check(message);
    const seq = this.emitted.length + 2;
    this.emitted.push({ ...message, seq, ipc_version: IPC_VERSION } as Emitted);
  }

  emitRepeated({ message, field, literals }: RepeatedMessage): void {
    for (const literal of literals)
      this.emit({ ...message, [field]: JSON.parse(`"${literal}"`) } as OutboundDraft);
    this.repeatedCount += literals.length;
  }

  get newestClaude(): FakeClaude {
    const newest = this.claudes.at(-1);
    if (newest === undefined) throw new Error("no Claude was started");
    return newest;
  }
}

function openSession(options: TestSessionOptions, records: Records): SessionManager {
  return new SessionManager({
    spawn: (args) => records.spawn(args),
    writeSecretFile: (name) => `/private/${name}`,
    emit: (message) => records.emit(message),
    emitRepeated: (repeated) => records.emitRepeated(repeated),
    flush: options.drained ?? (() => undefined),
    drained: options.drained ?? (() => undefined),
    clock: records.clock,
    newId: () => records.newId(),
    onFault: options.onFault ?? failTest,
    past: {
      newestSessionId: async () => options.newestSessionId,
      lastSessionId: async () => options.lastSessionId,
      findPlace: async (...asked) => {
        records.placesAsked.push(asked);
        return options.place ?? { at: undefined, bytes: 0 };
      },
      hasBranched: async () => options.hasBranched === true,
      isUnbegun: async () => options.isUnbegun === true,
    },
    keepSessionId: (id) => void records.kept.push(id),
    onFatal: () => {
      records.isFatal = true;
    },
  });
}

function failTest(message: string): never {
  throw new Error(message);
}

/** Starts a session; by default Claude has answered `initialize` when it resolves. */
export async function startSession(options: TestSessionOptions = {}): Promise<TestSession> {
  const records = new Records();
  const session = openSession(options, records);
  const claude = () => records.newestClaude;
  const initialize = (response: Record<string, unknown> = {}) => {
    const request = claude().writes.find((line) => isInitialize(line));
    return claude().say({
      type: "control_response",
      response: { subtype: "success", request_id: request?.["request_id"], response },
    });
  };
  const init: ProtocolInit = { type: "protocol_init", version: 2, ...options.init };
  session.configure(init);
  session.start(init);
  await settlePromises();
  if (options.isReady !== false) await initialize();
  const { emitted, clock, claudes, starts, kept, placesAsked } = records;
  return {
    session,
    emitted,
    repeatedCount: () => records.repeatedCount,
    clock,
    claudes,
    starts,
    claude,
    kept,
    placesAsked,
    isFatal: () => records.isFatal,
    failNextEmit: (type = "any") => {
      records.failing = type;
    },
    settle: settlePromises,
    initialize,
  };
}

function isInitialize(line: Record<string, unknown>): boolean {
  const { request } = line as { request?: { subtype?: unknown } };
  return request?.subtype === "initialize";
}
