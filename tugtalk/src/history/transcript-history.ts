/**
 * A past conversation, read from its transcript and those of its subagents. However long they are,
 * only what an answer holds is in memory. Protocol reference §7.
 */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { TugtalkError } from "../messages/errors.ts";
import { PAGE_SIZES, type SessionHistory } from "../messages/history-messages.ts";
import type { OutboundDraft } from "../types.ts";
import { TranscriptFile } from "./transcript-file.ts";
import type { TranscriptLine } from "./transcript-line.ts";
import { buildMessages, MAX_PAGE_BYTES, pageOf, subagentsOf } from "./transcript-page.ts";
import { plainFile, transcriptPath } from "./transcripts.ts";

/** Answers one request; rejects where there is no such conversation, or no such place in it. */
export async function readHistory(
  folder: string,
  request: Pick<SessionHistory, "session_id" | "limit" | "before">,
): Promise<Extract<OutboundDraft, { type: "session_history_result" }>> {
  const { session_id, limit = PAGE_SIZES.turns.usual } = request;
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

const AGENT_META = /^agent-([A-Za-z0-9_-]+)\.meta\.json$/;
const AGENT_ID = /^[A-Za-z0-9_-]+$/;

/** The transcripts of the subagents of one conversation, each read at most once. */
class Subagents {
  readonly #folder: string;
  readonly #path: readonly [session: string, folder: string];
  readonly #read = new Set<string>();
  #room = MAX_PAGE_BYTES;
  #named: Promise<ReadonlyMap<string, string>> | undefined;
  skipped = 0;
  /** The tool calls of those that are too long for the answer. */
  readonly leftOut: string[] = [];

  constructor(folder: string, sessionId: string) {
    this.#folder = folder;
    this.#path = [sessionId, "subagents"];
  }

  /** The messages of some lines with those of the subagents that they started, at any depth. */
  async messagesOf(lines: readonly TranscriptLine[]): Promise<OutboundDraft[]> {
    this.#named ??= this.#readNames();
    const ids = new Map([...(await this.#named), ...subagentsOf(lines)]);
    const started = lines
      .flatMap(({ messages }) => messages)
      .flatMap((message) => (message.type === "tool_use" ? [message.tool_use_id] : []));
    const inner = new Map<string, OutboundDraft[]>();
    for (const toolUseId of started) {
      const id = ids.get(toolUseId);
      if (id !== undefined) inner.set(toolUseId, await this.#messages(id, toolUseId));
    }
    return buildMessages(lines, inner);
  }

  async #messages(id: string, toolUseId: string): Promise<OutboundDraft[]> {
    if (this.#read.has(id) || !AGENT_ID.test(id)) return [];
    this.#read.add(id);
    const path = await plainFile(this.#folder, ...this.#path, `agent-${id}.jsonl`);
    if (path === undefined) return [];
    const { size } = Bun.file(path);
    if (size > this.#room) {
      this.leftOut.push(toolUseId);
      return [];
    }
    this.#room -= size;
    const transcript = new TranscriptFile(path, toolUseId);
    const lines = await transcript.read(await transcript.conversation());
    this.skipped += transcript.skipped;
    return this.messagesOf(lines);
  }

  /** By tool call, where Claude has noted it beside the transcript (V197, V330). */
  async #readNames(): Promise<ReadonlyMap<string, string>> {
    const names = await readdir(join(this.#folder, ...this.#path)).catch(() => []);
    const found = new Map<string, string>();
    for (const name of names) {
      const id = AGENT_META.exec(name)?.[1];
      const path =
        id === undefined ? undefined : await plainFile(this.#folder, ...this.#path, name);
      if (id === undefined || path === undefined) continue;
      const toolUseId = await toolUseIdIn(path);
      if (toolUseId !== undefined) found.set(toolUseId, id);
    }
    return found;
  }
}

async function toolUseIdIn(path: string): Promise<string | undefined> {
  const meta: unknown = await Bun.file(path)
    .json()
    .catch(() => undefined); // The note is a help only: the result of the call names the subagent too.
  if (typeof meta !== "object" || meta === null || !("toolUseId" in meta)) return undefined;
  return typeof meta.toolUseId === "string" ? meta.toolUseId : undefined;
}
