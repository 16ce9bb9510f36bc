/** The transcripts and the small files of an agent's sessions, in memory. */
import { type Kept, KeptSessions } from "../../acp/kept-sessions.ts";
import { PastSessions } from "../../acp/past-sessions.ts";
import type { Transcript } from "../../acp/tell-past.ts";
import { parseTranscriptLine, type TranscriptLine } from "../../src/history/transcript-line.ts";
import { buildMessages } from "../../src/history/transcript-page.ts";
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
  /** How many lines of each are of Claudes that have exited. */
  readonly #sealed = new Map<string, number>();
  /** The first lines of copies, once Claude writes them. */
  readonly #copied = new Map<string, readonly TranscriptLine[]>();

  constructor(files: FakeFiles) {
    super(files);
    this.#files = files;
  }

  /** Claude writes what it prints, as far as its transcripts have it. */
  record(printed: Fields): void {
    const raw = transcriptLineOf(printed);
    if (raw === undefined) return;
    const line = parseTranscriptLine(Buffer.from(JSON.stringify(raw)));
    if (line === undefined || line === "broken") throw new Error(`no line: ${JSON.stringify(raw)}`);
    const id = String(printed["session_id"]);
    const lines = this.#lines.get(id) ?? this.#copied.get(id) ?? [];
    const sealed = this.#sealed.get(id) ?? 0;
    const place =
      printed["isReplay"] === true ? sealed + placeOfPrompt(lines.slice(sealed)) : lines.length;
    this.#lines.set(id, lines.toSpliced(place, 0, line));
  }

  /** The Claude of a conversation has exited. */
  seal(id: string): void {
    this.#sealed.set(id, this.#lines.get(id)?.length ?? 0);
  }

  /** Claude reads a conversation, to go on with it under another id. */
  copy(from: string, to: string): void {
    this.#copied.set(to, [...(this.#lines.get(from) ?? [])]);
  }

  override title = async () => undefined;

  override hasTranscript = async (id: string) => this.#lines.has(id);

  override transcript = (id: string): Transcript => ({
    pages: async () => this.#pages(id),
    caughtUp: async () => {},
  });

  override async remove(sessionId: string): Promise<void> {
    const kept = await this.#files.read(sessionId);
    for (const id of [sessionId, ...(kept?.conversations ?? [])]) this.#lines.delete(id);
    await this.#files.remove(sessionId);
  }

  async *#pages(id: string) {
    yield buildMessages(this.#lines.get(id) ?? [], new Map());
  }
}

/** Claude may echo a prompt late. What the model reads has no prompt between a call and its result. */
function placeOfPrompt(lines: readonly TranscriptLine[]): number {
  const messages = lines.flatMap((line) => line.messages);
  const ended = new Set(
    messages.flatMap((one) => (one.type === "tool_result" ? one.tool_use_id : [])),
  );
  const isOpen = ({ messages }: TranscriptLine) =>
    messages.some((one) => one.type === "tool_use" && !ended.has(one.tool_use_id));
  const first = lines.findIndex(isOpen);
  return first === -1 ? lines.length : first;
}

/** Undefined for what no transcript has. */
function transcriptLineOf(printed: Fields): Fields | undefined {
  const { type, subtype, message, parent_tool_use_id, tool_use_result, isReplay } = printed;
  const uuid = printed["uuid"] ?? crypto.randomUUID();
  if (type === "system" && subtype === "task_notification") return taskLine(printed, uuid);
  if (type === "system" && subtype === "compact_boundary") return compactionLine(printed, uuid);
  if (parent_tool_use_id != null) return undefined;
  if (type === "assistant") return { type, uuid, message };
  if (type !== "user") return undefined;
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
  const fields = { "task-id": task_id, "tool-use-id": tool_use_id, status, summary };
  const tags = Object.entries(fields).map(([tag, value]) => `<${tag}>${value}</${tag}>`);
  const content = `<task-notification>${tags.join("")}</task-notification>`;
  const message = { role: "user", content };
  return { type: "user", uuid, origin: { kind: "task-notification" }, message };
}
