/**
 * The work of the stand-in for Claude in a turn. A plan is the text of the host's message, as JSON, so that
 * every contender passes it on without knowing it.
 */
import { z } from "zod";

const TurnPart = z.discriminatedUnion("kind", [
  /** One message of text in these pieces. */
  z.object({ kind: z.literal("said"), pieces: z.array(z.string()) }),
  /**
   * Messages of text as fast as they are read, each of this number of pieces with this number of characters.
   */
  z.object({
    kind: z.literal("flood"),
    messages: z.number(),
    deltas: z.number(),
    chars: z.number(),
  }),
  /** One message whose pieces have the time of their writing. */
  z.object({ kind: z.literal("paced"), deltas: z.number(), perSecond: z.number() }),
  /** Permission prompts, `atOnce` of them open at a time; the next ones come when all are answered. */
  z.object({ kind: z.literal("prompts"), count: z.number(), atOnce: z.number() }),
  /** Calls of a tool of the host, or of its hook before a tool, one by one. */
  z.object({ kind: z.literal("program"), of: z.enum(["tool", "hook"]), count: z.number() }),
  /** A tool result in one line, after a text with the time of its writing. */
  z.object({ kind: z.literal("long-line"), bytes: z.number() }),
]);
export type TurnPart = z.infer<typeof TurnPart>;

/** A turn, and the file for the stand-in's report, written before the turn ends. */
export const TurnPlan = z.object({ parts: z.array(TurnPart), report: z.string() });
export type TurnPlan = z.infer<typeof TurnPlan>;

/** The report of the stand-in: the answers to its prompts, and how long each took, in µs. */
export const TurnReport = z.object({
  answers: z.array(z.unknown()),
  answerUs: z.array(z.number()),
});
export type TurnReport = z.infer<typeof TurnReport>;

/** The pieces of a flood's message: words, and some with characters that JSON escapes. */
export function floodPieces(deltas: number, chars: number): string[] {
  return Array.from({ length: deltas }, (_, count) =>
    (count % 8 === 7 ? `a "word"\n` : `word ${count} `).padEnd(chars, "x").slice(0, chars),
  );
}

/** The input of the prompt with this number. */
export function promptInput(number: number): Record<string, unknown> {
  return { file_path: `/work/project/${number}.txt`, content: `"${number}" → \n` };
}
