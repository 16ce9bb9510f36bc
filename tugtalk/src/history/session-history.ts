/**
 * One past conversation, read from its transcript and its subagents' transcripts. Only the lines of the answer
 * are in memory, however long the transcripts are. Protocol reference §7.
 */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { fieldsOf, parseJson } from "../base/json.ts";
import { TugtalkError } from "../messages/errors.ts";
import { PAGE_SIZES, type SessionHistory } from "../messages/history-messages.ts";
import type { OutboundDraft } from "../types.ts";
import { TranscriptFile } from "./transcript-file.ts";
import { plainFile, transcriptPath } from "./transcript-folder.ts";
import type { TranscriptLine } from "./transcript-line.ts";
import { buildMessages, MAX_PAGE_BYTES, pageOf, pagesOf } from "./transcript-page.ts";

/** Answers one `session_history`. Rejects if there is no such conversation, or no line `before` in it. */
export async function readHistory(
  folder: string,
  request: Pick<SessionHistory, "session_id" | "limit" | "before">,
): Promise<Extract<OutboundDraft, { type: "session_history_result" }>> {
  const { session_id, limit = PAGE_SIZES.turns.default } = request;
  const path = await transcriptPath(folder, session_id, "unknown_request");
  const transcript = new TranscriptFile(path);
  const page = pageOf(await transcript.conversation(), limit, request.before);
  if (page === undefined)
    throw new TugtalkError("bad_message", `before: no such place in ${session_id}`);
  const subagents = new Subagents(folder, session_id);
  const messages = await subagents.messagesOf(await transcript.read(page.lines));
  return {
    type: "session_history_result",
    session_id,
    messages,
    ...(page.before !== undefined && { before: page.before }),
    skipped_lines: transcript.skipped + subagents.skipped,
    ...(subagents.leftOut.length > 0 && { left_out: subagents.leftOut }),
  };
}

/** The whole conversation, or its first `bytes`, oldest first, in pages. Rejects where there is none. */
export async function* readConversation(
  folder: string,
  sessionId: string,
  bytes?: number,
): AsyncGenerator<readonly OutboundDraft[]> {
  const path = await transcriptPath(folder, sessionId, "unknown_request");
  const transcript = new TranscriptFile(path, { bytes });
  for (const lines of pagesOf(await transcript.conversation()))
    yield new Subagents(folder, sessionId).messagesOf(await transcript.read(lines));
}

const AGENT_META = /^agent-([A-Za-z0-9_-]+)\.meta\.json$/;
const AGENT_ID = /^[A-Za-z0-9_-]+$/;

/** The transcripts of the subagents of one conversation, each read at most once. */
class Subagents {
  readonly #folder: string;
  readonly #subfolder: string;
  readonly #read = new Set<string>();
  #freeBytes = MAX_PAGE_BYTES;
  #noted: Promise<ReadonlyMap<string, string>> | undefined;
  skipped = 0;
  /** The tool calls of the subagents that are too long for the answer. */
  readonly leftOut: string[] = [];

  constructor(folder: string, sessionId: string) {
    this.#folder = folder;
    this.#subfolder = join(sessionId, "subagents");
  }

  /** The messages of some lines and of the subagents that they started, at any depth. */
  async messagesOf(lines: readonly TranscriptLine[]): Promise<OutboundDraft[]> {
    this.#noted ??= this.#readNotes();
    const ids = new Map([...(await this.#noted), ...agentIdsIn(lines)]);
    const inner = new Map<string, OutboundDraft[]>();
    for (const toolUseId of lines.flatMap(({ toolCalls }) => toolCalls)) {
      const id = ids.get(toolUseId);
      if (id !== undefined) inner.set(toolUseId, await this.#messages(id, toolUseId));
    }
    return buildMessages(lines, inner);
  }

  async #messages(id: string, toolUseId: string): Promise<OutboundDraft[]> {
    if (this.#read.has(id) || !AGENT_ID.test(id)) return [];
    this.#read.add(id);
    const path = await this.#file(`agent-${id}.jsonl`);
    if (path === undefined) return [];
    const { size } = Bun.file(path);
    if (size > this.#freeBytes) {
      this.leftOut.push(toolUseId);
      return [];
    }
    this.#freeBytes -= size;
    const transcript = new TranscriptFile(path, { parentToolUseId: toolUseId });
    const lines = await transcript.read(await transcript.conversation());
    this.skipped += transcript.skipped;
    return this.messagesOf(lines);
  }

  /** The agent ids by tool call, where Claude noted them beside the transcripts (V197, V330). */
  async #readNotes(): Promise<ReadonlyMap<string, string>> {
    const names = await readdir(join(this.#folder, this.#subfolder)).catch(() => []);
    const found = new Map<string, string>();
    for (const name of names) {
      const id = AGENT_META.exec(name)?.[1];
      const path = id === undefined ? undefined : await this.#file(name);
      if (id === undefined || path === undefined) continue;
      // A note that is not readable is no loss: the result of the call has the id too.
      const text = await Bun.file(path)
        .text()
        .catch(() => "");
      const { toolUseId } = fieldsOf(parseJson(text));
      if (typeof toolUseId === "string") found.set(toolUseId, id);
    }
    return found;
  }

  #file(name: string): Promise<string | undefined> {
    return plainFile(this.#folder, this.#subfolder, name);
  }
}

/** The agent ids that results have, by tool call. */
function agentIdsIn(lines: readonly TranscriptLine[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const message of lines.flatMap(({ messages }) => messages)) {
    if (message.type !== "tool_use_structured") continue;
    const { agentId } = fieldsOf(message.structured_result);
    if (typeof agentId === "string") found.set(message.tool_use_id, agentId);
  }
  return found;
}
