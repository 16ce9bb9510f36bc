/** A session with a fake Claude behind it and an array in front of it. */
import { IPC_VERSION } from "../../src/messages/envelope.ts";
import type { ResumePoint } from "../../src/messages/history-messages.ts";
import type { ProtocolInit } from "../../src/messages/protocol-init.ts";
import { SessionManager } from "../../src/session.ts";
import type { OutboundDraft } from "../../src/types.ts";
import { type FakeClaude, type FakeClock, fakeClaude, fakeClock } from "./fake-claude.ts";

export type Emitted = OutboundDraft & { readonly seq: number; readonly ipc_version: number };

export type TestSession = {
  readonly session: SessionManager;
  /** What the host was told, stamped as the writer does. */
  readonly emitted: readonly Emitted[];
  readonly clock: FakeClock;
  /** Each Claude that was started, the newest last. */
  readonly claudes: readonly FakeClaude[];
  /** The arguments of each start. */
  readonly starts: readonly (readonly string[])[];
  readonly claude: () => FakeClaude;
  /** The ids that were kept for the next bridge. */
  readonly kept: readonly string[];
  /** The arguments of each search for a place. */
  readonly placesAsked: readonly (readonly string[])[];
  readonly isFatal: () => boolean;
  /** The next message to the host, of this type if one is named, cannot be told: stands for any fault of ours. */
  readonly failNextEmit: (type?: OutboundDraft["type"] | "any") => void;
  /** Waits until starts and ends that are under way are through. */
  readonly settle: () => Promise<void>;
  /** Answers the newest Claude's `initialize`. */
  readonly initialize: (response?: Record<string, unknown>) => Promise<void>;
};

/** How a test starts a session. */
export type TestSessionOptions = {
  readonly init?: Partial<ProtocolInit>;
  readonly newestSessionId?: string;
  /** The conversation that a bridge was in last. */
  readonly lastSessionId?: string;
  /** Where any message that is named stands, and whether Claude has answered since. */
  readonly place?: ResumePoint;
  readonly hasBranched?: boolean;
  /** Whether Claude answers `initialize` at once. Default true. */
  readonly isReady?: boolean;
  /** Resolves when the host reads again; by default it always reads. */
  readonly drained?: () => Promise<void> | undefined;
  /** What a fault of ours does; by default it fails the test. */
  readonly onFault?: (words: string) => void;
};

/** Starts a session; by default Claude has begun to talk when it resolves. */
export async function startSession(options: TestSessionOptions = {}): Promise<TestSession> {
  const emitted: Emitted[] = [];
  const claudes: FakeClaude[] = [];
  const starts: (readonly string[])[] = [];
  const clock = fakeClock();
  const kept: string[] = [];
  const placesAsked: string[][] = [];
  let ids = 0;
  let isFatal = false;
  let failing: OutboundDraft["type"] | "any" | undefined;
  const session = new SessionManager({
    spawn: (args) => {
      starts.push(args);
      const claude = fakeClaude(claudes.length + 1);
      claudes.push(claude);
      return claude.process;
    },
    writeSecretFile: (name) => `/private/${name}`,
    emit: (message) => {
      if (failing === "any" || failing === message.type) {
        failing = undefined;
        throw new Error("a fault of ours");
      }
      emitted.push({ ...message, seq: emitted.length + 2, ipc_version: IPC_VERSION } as Emitted);
    },
    drained: options.drained ?? (() => undefined),
    clock,
    newId: () => `00000000-0000-4000-8000-${String(++ids).padStart(12, "0")}`,
    onFault:
      options.onFault ??
      ((words) => {
        throw new Error(words);
      }),
    past: {
      newestSessionId: async () => options.newestSessionId,
      lastSessionId: async () => options.lastSessionId,
      findPlace: async (...asked) => {
        placesAsked.push(asked);
        return options.place ?? { at: undefined, bytes: 0 };
      },
      hasBranched: async () => options.hasBranched === true,
    },
    keepSessionId: (id) => void kept.push(id),
    onFatal: () => {
      isFatal = true;
    },
  });
  const claude = () => {
    const newest = claudes.at(-1);
    if (newest === undefined) throw new Error("no Claude was started");
    return newest;
  };
  const settle = async () => {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  };
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
  await settle();
  if (options.isReady !== false) await initialize();
  return {
    session,
    emitted,
    clock,
    claudes,
    starts,
    claude,
    kept,
    placesAsked,
    isFatal: () => isFatal,
    failNextEmit: (type = "any") => {
      failing = type;
    },
    settle,
    initialize,
  };
}

function isInitialize(line: Record<string, unknown>): boolean {
  const { request } = line as { request?: { subtype?: unknown } };
  return request?.subtype === "initialize";
}
