/** The transcripts and the small files of an agent's sessions, in memory. */
import { type Kept, KeptSessions, type Source } from "../../acp/kept-sessions.ts";
import { PastSessions } from "../../acp/past-sessions.ts";
import type { Transcript } from "../../acp/send-transcript.ts";
import { parseTranscriptLine, type TranscriptLine } from "../../src/history/transcript-line.ts";
import { buildMessages } from "../../src/history/transcript-page.ts";
import type { ResumePoint } from "../../src/messages/history-messages.ts";
import type { OutboundDraft } from "../../src/types.ts";
import { type Fields, fieldsOf } from "../observer/observed.ts";

export class FakeFiles extends KeptSessions {
  readonly #files = new Map<string, Kept>();
  readonly #owners = new Map<string, string>();

  constructor() {
    super("/nowhere");
  }

  override read = async (id: string) => this.#files.get(id);
  override moved = async () => this.#files;
  override write = async (id: string, kept: Kept) => {
    this.#files.set(id, kept);
    for (const conversation of kept.conversations) this.#owners.set(conversation, id);
  };
  override create = (id: string, kept: Kept) => this.write(id, kept);
  override remove = async (id: string) => void this.#files.delete(id);

  /** The session that a conversation has been part of. */
  ownerOf(conversation: string): string {
    return this.#owners.get(conversation) ?? conversation;
  }
}

export class FakePast extends PastSessions {
  readonly #files: FakeFiles;
  readonly #lines = new Map<string, TranscriptLine[]>();
  /** The lines of agents, by their conversation and their call. */
  readonly #agents = new Map<string, readonly TranscriptLine[]>();
  /** The tasks whose ends the model reads. */
  readonly #background = new Set<unknown>();
  /** How many lines of each are of Claudes that have exited. */
  readonly #sealed = new Map<string, number>();
  /** The first lines of copies, once Claude writes them. */
  readonly #copied = new Map<string, readonly TranscriptLine[]>();

  constructor(files: FakeFiles) {
    super(files);
    this.#files = files;
  }

  /** Claude writes a printed line to its transcript, if transcripts have such a line. */
  record(printed: Fields): void {
    this.#recordTask(printed);
    const isEnd = printed["subtype"] === "task_notification";
    const isUnread = isEnd && !this.#background.has(printed["task_id"]);
    const raw = isUnread ? undefined : transcriptLineOf(printed);
    if (raw === undefined) return;
    const agent = printed["parent_tool_use_id"];
    const ofAgent = typeof agent === "string" ? agent : undefined;
    const line = parseTranscriptLine(Buffer.from(JSON.stringify(raw)), ofAgent);
    if (line === undefined || line === "broken") throw new Error(`no line: ${JSON.stringify(raw)}`);
    const id = String(printed["session_id"]);
    if (ofAgent === undefined) this.#add(id, line, printed["isReplay"] === true);
    else this.#agents.set(keyOf(id, ofAgent), [...this.#linesOfAgent(id, ofAgent), line]);
  }

  #add(id: string, line: TranscriptLine, isReplay: boolean): void {
    const lines = this.#lines.get(id) ?? this.#copied.get(id) ?? [];
    const sealed = this.#sealed.get(id) ?? 0;
    const place = isReplay ? sealed + placeOfPrompt(lines.slice(sealed)) : lines.length;
    this.#lines.set(id, lines.toSpliced(place, 0, line));
  }

  #recordTask({ subtype, task_id, is_backgrounded, patch }: Fields): void {
    const { is_backgrounded: isMoved } = fieldsOf(patch);
    if (subtype === "task_started" && is_backgrounded === true) this.#background.add(task_id);
    if (subtype === "task_updated" && isMoved === true) this.#background.add(task_id);
  }

  /** The Claude of a conversation has exited. */
  seal(id: string): void {
    this.#sealed.set(id, this.#lines.get(id)?.length ?? 0);
  }

  /** Claude reads a conversation, up to a line, to go on with it under another id. */
  copy(from: string, to: string, at?: string): void {
    const lines = this.#lines.get(from) ?? [];
    const last = at === undefined ? lines.length : lines.findIndex(({ uuid }) => uuid === at) + 1;
    this.#copied.set(to, lines.slice(0, last));
  }

  override end = async (id: string) => {
    const lines = this.#lines.get(id) ?? [];
    // A line stands for a byte.
    return { at: lines.at(-1)?.uuid, bytes: lines.length };
  };

  override canGoBack = async (id: string, { bytes }: ResumePoint) =>
    (this.#lines.get(id) ?? []).length > bytes;

  override title = async () => undefined;

  override hasTranscript = async (id: string) => this.#lines.has(id);

  override transcript = ({ id, end }: Source): Transcript => ({
    pages: async () => this.#pages(id, end?.bytes),
    caughtUp: async () => {},
    isOwn: end === undefined,
  });

  override async remove(sessionId: string): Promise<void> {
    const kept = await this.#files.read(sessionId);
    for (const id of [sessionId, ...(kept?.conversations ?? [])]) this.#lines.delete(id);
    await this.#files.remove(sessionId);
  }

  async *#pages(id: string, end?: number) {
    yield this.#messages(id, (this.#lines.get(id) ?? []).slice(0, end));
  }

  /** The messages of some lines and of the agents that they have started. */
  #messages(id: string, lines: readonly TranscriptLine[]): OutboundDraft[] {
    const calls = lines.flatMap(({ toolCalls }) => toolCalls);
    const inner = calls.map(
      (call) => [call, this.#messages(id, this.#linesOfAgent(id, call))] as const,
    );
    return buildMessages(lines, new Map(inner));
  }

  #linesOfAgent(id: string, call: string): readonly TranscriptLine[] {
    return this.#agents.get(keyOf(id, call)) ?? [];
  }
}

const keyOf = (conversation: string, call: string) => `${conversation} ${call}`;

/**
 * Claude may echo a prompt late. The conversation of the model has no prompt between a call and its result.
 */
function placeOfPrompt(lines: readonly TranscriptLine[]): number {
  const results = lines.flatMap((line, at) => line.toolResults.map((id) => [id, at] as const));
  const ends = new Map(results);
  const place = (call: string) => ends.get(call) ?? lines.length;
  return lines.reduceRight(
    (at, { toolCalls }, call) => (toolCalls.some((id) => place(id) >= at) ? call : at),
    lines.length,
  );
}

/** Undefined for a line that no transcript has. */
function transcriptLineOf(printed: Fields): Fields | undefined {
  const { type, subtype, message, parent_tool_use_id, tool_use_result, isReplay } = printed;
  const uuid = printed["uuid"] ?? crypto.randomUUID();
  if (type === "system" && subtype === "task_notification") return taskLine(printed, uuid);
  if (type === "system" && subtype === "compact_boundary") return compactionLine(printed, uuid);
  if (type === "assistant") return { type, uuid, message };
  if (type !== "user") return undefined;
  if (parent_tool_use_id != null) return { type, uuid, message };
  if (isReplay === true) return { type, uuid, message, permissionMode: "default" };
  if (tool_use_result === undefined) return undefined;
  return { type, uuid, message, toolUseResult: tool_use_result };
}

function compactionLine({ type, subtype, compact_metadata }: Fields, uuid: unknown): Fields {
  const { pre_tokens: preTokens, trigger } = fieldsOf(compact_metadata);
  return { type, subtype, uuid, compactMetadata: { trigger, preTokens } };
}

/** The model reads the end of a task as tags. */
function taskLine({ task_id, tool_use_id, status, summary }: Fields, uuid: unknown): Fields {
  const words = `Agent ${status}`;
  const end = { status, summary: words, ...(status === "completed" && { result: summary }) };
  const fields = { "task-id": task_id, "tool-use-id": tool_use_id, ...end };
  const tags = Object.entries(fields).map(([tag, value]) => `<${tag}>${value}</${tag}>`);
  const content = `<task-notification>${tags.join("")}</task-notification>`;
  const message = { role: "user", content };
  return { type: "user", uuid, origin: { kind: "task-notification" }, message };
}
