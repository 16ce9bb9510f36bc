/**
 * A session of any host: its commands go to the holder, this host or another. If that is another host, reads
 * and streams come from the database.
 */
import type { AnswerMessage } from "../../client/answers.ts";
import type { EntryPage } from "../../client/entry-pages.ts";
import type {
  Cursor,
  MessageReceipt,
  QueuedMessageInfo,
  ReturnedMessage,
  SessionInfo,
  SessionSnapshot,
  Withdrawn,
} from "../../client/host-api.ts";
import type { OpenPrompt } from "../../client/prompt-models.ts";
import type { PromptEnd } from "../../client/reduced-session.ts";
import type { Frame } from "../api/frame.ts";
import type { Caller, HostSession, NewMessage } from "../api/host-session.ts";
import type { Journal, JournalEntry, JournalRange } from "../journal/journal.ts";
import { SessionReads } from "../sessions/session-reads.ts";
import { knownState } from "./known-state.ts";
import type { SessionMethod } from "./session-call.ts";

type Fields = Readonly<Record<string, unknown>>;

export type SharedSessionPorts = {
  readonly journal: Journal;
  readonly info: (id: string) => SessionInfo;
  /** The session if this host holds it. */
  readonly held: (id: string) => HostSession | undefined;
  /** Executes a command at the session's holder. */
  readonly call: (id: string, method: SessionMethod, args: readonly unknown[]) => Promise<unknown>;
  readonly listen: (id: string, onFrames: (frames: readonly Frame[]) => void) => () => void;
};

export class SharedSession implements HostSession {
  readonly id: string;
  readonly #ports: SharedSessionPorts;
  readonly #fromJournal: SessionReads;

  constructor(id: string, ports: SharedSessionPorts) {
    this.id = id;
    this.#ports = ports;
    this.#fromJournal = new SessionReads(id, ports.journal, () => knownState(ports.journal, id));
  }

  info(): SessionInfo {
    return this.#ports.info(this.id);
  }

  listen(onFrames: (frames: readonly Frame[]) => void): () => void {
    return this.#ports.listen(this.id, onFrames);
  }

  get #reads(): Pick<HostSession, keyof SessionReads> {
    return this.#ports.held(this.id) ?? this.#fromJournal;
  }

  queue = (): Promise<readonly QueuedMessageInfo[]> => this.#reads.queue();
  returned = (): Promise<readonly QueuedMessageInfo[]> => this.#reads.returned();
  readReturned = (messageId: string): Promise<ReturnedMessage> =>
    this.#reads.readReturned(messageId);
  prompts = (): Promise<readonly OpenPrompt[]> => this.#reads.prompts();
  promptOfCall = (toolUseId: string): Promise<OpenPrompt | PromptEnd | undefined> =>
    this.#reads.promptOfCall(toolUseId);
  prompt = (requestId: string): Promise<OpenPrompt> => this.#reads.prompt(requestId);
  snapshot = (): Promise<SessionSnapshot> => this.#reads.snapshot();
  turns = (before: string | undefined, limit: number): Promise<EntryPage> =>
    this.#reads.turns(before, limit);
  range = (): Promise<JournalRange> => this.#reads.range();
  entriesAfter = (after: Cursor, maxChars: number): Promise<readonly JournalEntry[] | "gap"> =>
    this.#reads.entriesAfter(after, maxChars);

  rename = (title: string): Promise<void> => this.#call("rename", title);
  setLimit = (limitUsd: number | null): Promise<void> => this.#call("setLimit", limitUsd);
  setArchived = (isArchived: boolean): Promise<void> => this.#call("setArchived", isArchived);
  setGoesOn: HostSession["setGoesOn"] = (...args) => this.#call("setGoesOn", ...args);
  cancelGoingOn: HostSession["cancelGoingOn"] = (...args) => this.#call("cancelGoingOn", ...args);
  previewRewind: HostSession["previewRewind"] = (...args) => this.#call("previewRewind", ...args);
  rewind: HostSession["rewind"] = (...args) => this.#call("rewind", ...args);
  message = (message: NewMessage): Promise<MessageReceipt> =>
    this.#call("message", { clientMessageId: crypto.randomUUID(), ...definedOf(message) });
  editQueued = (messageId: string, message: string): Promise<void> =>
    this.#call("editQueued", messageId, message);
  deleteQueued = (messageId: string): Promise<void> => this.#call("deleteQueued", messageId);
  sendQueued: HostSession["sendQueued"] = (...args) => this.#call("sendQueued", ...args);
  takeReturned = (messageId: string): Promise<ReturnedMessage> =>
    this.#call("takeReturned", messageId);
  answer = (message: AnswerMessage, caller: Caller): Promise<void> =>
    this.#call("answer", message, caller);
  interrupt = (options: { readonly includeBackground: boolean }): Promise<Withdrawn> =>
    this.#call("interrupt", options);
  stopTask = (taskId: string): Promise<void> => this.#call("stopTask", taskId);
  setMode = (mode: string): Promise<Fields> => this.#call("setMode", mode);
  setModel = (model: string | null): Promise<Fields> => this.#call("setModel", model);
  control = (subtype: string, fields: Fields): Promise<Fields> =>
    this.#call("control", subtype, fields);
  end = (): Promise<void> => this.#call("end");

  /** The other host has made the answer with the same method, so its type is right. */
  async #call<Value>(method: SessionMethod, ...args: readonly unknown[]): Promise<Value> {
    return (await this.#ports.call(this.id, method, args)) as Value;
  }
}

/** The value without undefined fields, which would hide others. */
function definedOf<Value extends object>(value: Value): Value {
  const entries = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(entries) as Value;
}
