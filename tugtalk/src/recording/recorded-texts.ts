/** Texts that were streamed, and how they come back into the lines that carried their deltas. */
import { z } from "zod";
import { isJsonObject } from "../base/json.ts";
import { deltaIn, withText } from "./delta-text.ts";

/**
 * A streamed text, written when it has ended. Its lines are written at once, with a mask for each
 * delta and the number of the text as `$text`. A recording that was cut short may lack the text.
 */
export const RecordedText = z.object({
  dir: z.literal("text"),
  msg: z.object({ $text: z.number().int().positive(), text: z.string() }),
});
export type RecordedText = z.infer<typeof RecordedText>;

/** The entries with the deltas of texts in place of the texts. */
export function restoreTexts<Entry extends { readonly dir: string }>(
  lines: readonly (Entry | RecordedText)[],
): readonly Entry[] {
  /** The rest of each text that has not been put back yet. */
  const rests = new Map<unknown, string>();
  const entries = lines.filter((line): line is Entry => {
    const text = RecordedText.safeParse(line).data?.msg;
    if (text !== undefined) rests.set(text.$text, text.text);
    return text === undefined;
  });
  return entries.map((entry) => {
    const msg = "msg" in entry ? entry.msg : undefined;
    if (!isJsonObject(msg) || !("$text" in msg)) return entry;
    const { $text, ...line } = msg;
    const { text: mask, path } = deltaIn(line) ?? { text: "", path: [] };
    const rest = rests.get($text) ?? "";
    rests.set($text, rest.slice(mask.length));
    // A text that is missing, or too long to be whole, stays masked.
    const isWhole = rest.length >= mask.length;
    return { ...entry, msg: isWhole ? withText(line, path, rest.slice(0, mask.length)) : line };
  });
}
