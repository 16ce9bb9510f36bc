/** One line of a transcript as Claude writes it. Protocol reference §7. */
import { z } from "zod";
import { fieldsOf } from "../base/json.ts";
import { isOverlong, type Line } from "../base/lines.ts";

const text = z.string();
const flag = z.boolean().optional().catch(undefined);
const id = text.nullish().catch(undefined);

export const RawLine = z.looseObject({
  type: text,
  subtype: text.optional().catch(undefined),
  uuid: text.optional().catch(undefined),
  parentUuid: id,
  logicalParentUuid: id,
  isSidechain: flag,
  isMeta: flag,
  isCompactSummary: flag,
});
export type RawLine = z.infer<typeof RawLine>;

const decoder = new TextDecoder("utf-8", { fatal: true });

/** Undefined where a line is not an object with a type: a process that is killed leaves half a line. */
export function parseRawLine(line: Line): RawLine | undefined {
  if (isOverlong(line)) return undefined;
  try {
    return RawLine.safeParse(JSON.parse(decoder.decode(line))).data;
  } catch {
    return undefined; // The caller counts it.
  }
}

/** Whether Claude resumes a transcript with this line. Lines of subagents do not count. */
export function isOfConversation(line: Line): boolean {
  const raw = parseRawLine(line);
  return (raw?.type === "user" || raw?.type === "assistant") && raw.isSidechain !== true;
}

/** The line before this one, also across a compaction. */
export function parentOf({ parentUuid, logicalParentUuid }: RawLine): string | undefined {
  return parentUuid ?? logicalParentUuid ?? undefined;
}

const Block = z.looseObject({ type: text });

/** The content of a user message. */
export const PromptContent = z.union([text, z.array(Block)]);
export type PromptContent = z.infer<typeof PromptContent>;

/** Whether the content of a message has the result of a tool. */
export function hasToolResult(content: unknown): boolean {
  return (
    Array.isArray(content) && content.some((block) => fieldsOf(block)["type"] === "tool_result")
  );
}

const QueuedPrompt = z.looseObject({
  type: z.literal("queued_command"),
  prompt: PromptContent,
  commandMode: z.literal("prompt"),
  source_uuid: text.optional().catch(undefined),
});

/** The user message that Claude read from its queue in the middle of a turn (§4c), if a line is one. */
export function queuedPromptOf(raw: RawLine): z.infer<typeof QueuedPrompt> | undefined {
  return raw.type === "attachment" ? QueuedPrompt.safeParse(raw["attachment"]).data : undefined;
}
