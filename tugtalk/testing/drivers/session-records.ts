/** The ports of a session, and the traffic through them. */
import type { Fields } from "../../src/base/json.ts";
import type { ClaudeProcess } from "../../src/claude/claude-process-port.ts";
import { IPC_VERSION } from "../../src/messages/envelope.ts";
import type { ResumePoint } from "../../src/messages/history-messages.ts";
import type { ProtocolInit } from "../../src/messages/protocol-init.ts";
import type { RepeatedMessage } from "../../src/messages/repeated-message.ts";
import { SessionManager } from "../../src/session.ts";
import type { OutboundDraft } from "../../src/types.ts";
import { openDraftCheck } from "./emitted-lines.ts";
import { type FakeClaude, fakeClaude, fakeClock } from "./fake-claude.ts";

export type Emitted = OutboundDraft &
  Fields & { readonly seq: number; readonly ipc_version: number };

/** How a test starts a session. */
export type TestSessionOptions = {
  readonly init?: Partial<ProtocolInit>;
  readonly newestSessionId?: string;
  /** The conversation of the last bridge. */
  readonly lastSessionId?: string;
  /** Where the message of `at_message` is in the transcript, and whether Claude has answered since. */
  readonly resumePoint?: ResumePoint;
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

export class SessionRecords {
  /** The messages to the host, with the fields that the writer adds. */
  readonly emitted: Emitted[] = [];
  /** Each Claude that was started, the newest last. */
  readonly claudes: FakeClaude[] = [];
  /** The arguments of each start. */
  readonly starts: (readonly string[])[] = [];
  /** The session ids that were stored for the next bridge. */
  readonly storedIds: string[] = [];
  /** The arguments of each search for a resume point. */
  readonly resumePointSearches: string[][] = [];
  readonly clock = fakeClock();
  /** The next message of this type to the host throws. */
  failing: OutboundDraft["type"] | "any" | undefined;
  isFatal = false;
  /** How many messages were emitted as repeated ones. */
  repeatedCount = 0;
  readonly #check = openDraftCheck();
  #ids = 0;

  /** The newest Claude. */
  claude(): FakeClaude {
    const newest = this.claudes.at(-1);
    if (newest === undefined) throw new Error("no Claude was started");
    return newest;
  }

  open(options: TestSessionOptions): SessionManager {
    return new SessionManager({
      spawn: (args) => this.#spawn(args),
      writeSecretFile: (name) => `/private/${name}`,
      emit: (message) => this.#emit(message),
      emitRepeated: (repeated) => this.#emitRepeated(repeated),
      flush: options.drained ?? (() => undefined),
      drained: options.drained ?? (() => undefined),
      clock: this.clock,
      newId: () => this.#newId(),
      onFault: options.onFault ?? failTest,
      past: {
        newestSessionId: async () => options.newestSessionId,
        lastSessionId: async () => options.lastSessionId,
        findResumePoint: async (...asked) => {
          this.resumePointSearches.push(asked);
          return options.resumePoint ?? { at: undefined, bytes: 0 };
        },
        hasBranched: async () => options.hasBranched === true,
        isUnbegun: async () => options.isUnbegun === true,
      },
      keepSessionId: (id) => void this.storedIds.push(id),
      onFatal: () => {
        this.isFatal = true;
      },
    });
  }

  #newId(): string {
    this.#ids += 1;
    return `00000000-0000-4000-8000-${String(this.#ids).padStart(12, "0")}`;
  }

  #spawn(args: readonly string[]): ClaudeProcess {
    this.starts.push(args);
    const claude = fakeClaude(this.claudes.length + 1);
    this.claudes.push(claude);
    return claude.process;
  }

  #emit(message: OutboundDraft): void {
    if (this.failing === "any" || this.failing === message.type) {
      this.failing = undefined;
      throw new Error("an internal error");
    }
    this.#check(message);
    const seq = this.emitted.length + 2;
    this.emitted.push({ ...message, seq, ipc_version: IPC_VERSION } as Emitted);
  }

  #emitRepeated({ message, field, literals }: RepeatedMessage): void {
    for (const literal of literals)
      this.#emit({ ...message, [field]: JSON.parse(`"${literal}"`) } as OutboundDraft);
    this.repeatedCount += literals.length;
  }
}

function failTest(message: string): never {
  throw new Error(message);
}
