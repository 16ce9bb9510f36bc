/** Where in a past conversation to resume it, read from its transcript. Protocol reference §7. */
import { z } from "zod";
import { fieldsOf } from "../base/json.ts";
import { TugtalkError } from "../messages/errors.ts";
import type { ResumePoint } from "../messages/history-messages.ts";
import { hasToolResult, parentOf, parseRawLine, queuedPromptOf, type RawLine } from "./raw-line.ts";
import { transcriptPath } from "./transcript-folder.ts";
import { readLines } from "./transcript-reader.ts";

/** A line of the main conversation. */
type Step = {
  readonly uuid: string;
  readonly parent: string | undefined;
  /**
   * `output`: of Claude or a tool. `compaction`: ends the dialogue before it. `note`: no part of the
   * dialogue.
   */
  readonly kind: "prompt" | "output" | "compaction" | "note";
  /** The `message_id`s of further user messages that Claude read here. */
  readonly messageIds: readonly string[];
};

/**
 * The resume point for the first of these ids that the conversation has. For the `message_id` of a user
 * message: before it. For the `uuid` of any other line: after it. Rejects where it has none of them.
 */
export async function findResumePoint(
  folder: string,
  sessionId: string,
  ...ids: readonly string[]
): Promise<ResumePoint> {
  const path = await transcriptPath(folder, sessionId, "resume_failed");
  const steps = new Map<string, Step>();
  const readAt = new Map<string, Step>();
  const bytes = await readSteps(path, 0, (step) => {
    steps.set(step.uuid, step);
    for (const id of step.messageIds) if (!readAt.has(id)) readAt.set(id, step);
  });
  for (const id of ids) {
    const own = steps.get(id);
    if (own?.kind === "output") return { at: own.uuid, bytes };
    const prompt = own?.kind === "prompt" ? own : readAt.get(id);
    if (prompt !== undefined) return { at: dialogueBefore(prompt, steps), bytes };
  }
  const message = `no message ${ids[0]} in the conversation ${sessionId}`;
  throw new TugtalkError("resume_failed", message);
}

/** The point after all output of Claude and its tools so far. */
export async function lastResumePoint(folder: string, sessionId: string): Promise<ResumePoint> {
  let at: string | undefined;
  const path = await transcriptPath(folder, sessionId, "resume_failed");
  const bytes = await readSteps(path, 0, ({ kind, uuid }) => {
    if (kind === "output") at = uuid;
  });
  return { at, bytes };
}

/** Whether Claude has answered since the conversation was resumed at a point. */
export async function hasBranched(
  folder: string,
  sessionId: string,
  { bytes }: ResumePoint,
): Promise<boolean> {
  return (await kindsSince(folder, sessionId, bytes)).has("output");
}

/** Whether Claude has answered since a point to which it can go back: it cannot over a compaction. */
export async function canGoBack(
  folder: string,
  sessionId: string,
  { bytes }: ResumePoint,
): Promise<boolean> {
  const kinds = await kindsSince(folder, sessionId, bytes);
  return kinds.has("output") && !kinds.has("compaction");
}

/** The kinds of the lines behind an offset. */
async function kindsSince(
  folder: string,
  sessionId: string,
  bytes: number,
): Promise<ReadonlySet<Step["kind"]>> {
  const kinds = new Set<Step["kind"]>();
  const path = await transcriptPath(folder, sessionId, "resume_failed");
  await readSteps(path, bytes, ({ kind }) => kinds.add(kind));
  return kinds;
}

/** The nearest ancestor that is no note. */
function dialogueBefore(prompt: Step, steps: ReadonlyMap<string, Step>): string | undefined {
  const seen = new Set<string>();
  let uuid = prompt.parent;
  while (uuid !== undefined && !seen.has(uuid)) {
    seen.add(uuid);
    const step = steps.get(uuid);
    if (step?.kind === "prompt" || step?.kind === "output") return uuid;
    uuid = step?.parent;
  }
  return undefined;
}

/** Reads from an offset on; resolves to the length of the file. */
function readSteps(path: string, offset: number, onStep: (step: Step) => unknown): Promise<number> {
  return readLines(
    path,
    (line) => {
      const raw = parseRawLine(line);
      if (raw?.uuid === undefined || raw.isSidechain === true) return;
      const { uuid } = raw;
      onStep({ uuid, parent: parentOf(raw), kind: kindOf(raw), messageIds: messageIdsOf(raw) });
    },
    offset,
  );
}

const Uuids = z.array(z.string());

/** The message that Claude read in the middle of a turn, or the messages that it merged into one (V330). */
function messageIdsOf(raw: RawLine): readonly string[] {
  const queued = queuedPromptOf(raw)?.source_uuid;
  return queued === undefined ? (Uuids.safeParse(raw["mergedSendUuids"]).data ?? []) : [queued];
}

function kindOf(raw: RawLine): Step["kind"] {
  if (raw.type === "assistant") return "output";
  if (raw["subtype"] === "compact_boundary") return "compaction";
  if (raw.type !== "user" || raw.isMeta === true) return "note";
  return hasToolResult(fieldsOf(raw["message"])["content"]) ? "output" : "prompt";
}
