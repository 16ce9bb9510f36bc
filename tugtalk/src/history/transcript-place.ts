/**
 * A place in a past conversation: what stands before a message, so that the conversation can be taken
 * up there, and whether it has been gone on with since. Read from its transcript. Protocol reference §7.
 */
import { z } from "zod";
import { isOverlong, type Line } from "../base/lines.ts";
import { TugtalkError } from "../messages/errors.ts";
import type { ResumePoint } from "../messages/history-messages.ts";
import { parentOf, parseRawLine, queuedPromptOf, type RawLine } from "./raw-line.ts";
import { transcriptPath } from "./transcript-folder.ts";
import { readLines } from "./transcript-reader.ts";

/** The little of a line that tells where it stands. */
type Step = {
  readonly uuid: string;
  readonly parent: string | undefined;
  readonly kind: "prompt" | "speech" | "other";
  /** The ids of the host's messages that Claude took up here, beside that of the line itself. */
  readonly takenUp: readonly string[];
};

/**
 * The place that a message names: the first of these ids that the conversation has. A message of the
 * host's, by its `message_id`: just before it. Any other line, by its `uuid`: just after it. Rejects
 * where the conversation has none of them.
 */
export async function findPlace(
  folder: string,
  sessionId: string,
  ...messageIds: readonly string[]
): Promise<ResumePoint> {
  const path = await transcriptPath(folder, sessionId, "resume_failed");
  const steps = new Map<string, Step>();
  const takenUp = new Map<string, Step>();
  const bytes = await readSteps(path, 0, (step) => {
    steps.set(step.uuid, step);
    for (const id of step.takenUp)
      if (messageIds.includes(id) && !takenUp.has(id)) takenUp.set(id, step);
  });
  for (const messageId of messageIds) {
    const own = steps.get(messageId);
    if (own?.kind === "speech") return { at: own.uuid, bytes };
    const hosts = own?.kind === "prompt" ? own : takenUp.get(messageId);
    if (hosts !== undefined) return { at: before(hosts, steps), bytes };
  }
  const words = `no message ${messageIds[0]} in the conversation ${sessionId}`;
  throw new TugtalkError("resume_failed", words);
}

/** Whether Claude has answered in a conversation since it was taken up at a place. */
export async function hasBranched(
  folder: string,
  sessionId: string,
  { bytes }: ResumePoint,
): Promise<boolean> {
  let isAnswered = false;
  const path = await transcriptPath(folder, sessionId, "resume_failed");
  await readSteps(path, bytes, ({ kind }) => {
    isAnswered ||= kind === "speech";
  });
  return isAnswered;
}

/** The nearest line before one that is part of what was said; others are notes of Claude's. */
function before(named: Step, steps: ReadonlyMap<string, Step>): string | undefined {
  const seen = new Set<string>();
  let uuid = named.parent;
  while (uuid !== undefined && !seen.has(uuid)) {
    seen.add(uuid);
    const step = steps.get(uuid);
    if (step !== undefined && step.kind !== "other") return uuid;
    uuid = step?.parent;
  }
  return undefined;
}

/** Gives each line of the main conversation from an offset on; resolves to the length of the file. */
function readSteps(path: string, from: number, take: (step: Step) => void): Promise<number> {
  const takeLine = (line: Line) => {
    const step = isOverlong(line) ? undefined : stepOf(line);
    if (step !== undefined) take(step);
  };
  return readLines(path, takeLine, from);
}

function stepOf(line: Uint8Array): Step | undefined {
  const raw = parseRawLine(line);
  if (raw?.uuid === undefined || raw.isSidechain === true) return undefined;
  return { uuid: raw.uuid, parent: parentOf(raw), kind: kindOf(raw), takenUp: takenUpIn(raw) };
}

const Uuids = z.array(z.string());

/** A message that was taken up in the middle of a turn, or those that were merged into one (V330). */
function takenUpIn(raw: RawLine): readonly string[] {
  const steered = queuedPromptOf(raw)?.source_uuid;
  return steered === undefined ? (Uuids.safeParse(raw["mergedSendUuids"]).data ?? []) : [steered];
}

function kindOf(raw: RawLine): Step["kind"] {
  if (raw.type === "assistant") return "speech";
  if (raw.type !== "user" || raw.isMeta === true) return "other";
  return holdsToolResult(raw["message"]) ? "speech" : "prompt";
}

function holdsToolResult(message: unknown): boolean {
  if (typeof message !== "object" || message === null || !("content" in message)) return false;
  const { content } = message;
  return Array.isArray(content) && content.some((block: unknown) => isOfType(block, "tool_result"));
}

function isOfType(value: unknown, type: string): boolean {
  return typeof value === "object" && value !== null && "type" in value && value.type === type;
}
