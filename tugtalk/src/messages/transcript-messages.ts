/** The conversation off its disk: lines that Claude appended to its files, and files for another machine. */
import { z } from "zod";
import { jsonRecord } from "../base/json-schemas.ts";
import {
  count,
  flag,
  inbound,
  NUL_FREE,
  nulFreeText,
  number,
  optionalFlag,
  optionalText,
  outbound,
  refuseNul,
  text,
  texts,
  uuid,
  worktreeName,
} from "./message-schemas.ts";

/** Lines of one file. */
const FILE_LINES = {
  file: text.describe(
    "The name of the file in the folder of transcripts: `<session_id>.jsonl`, and below `<session_id>/subagents/` the `agent-<id>.jsonl` and `agent-<id>.meta.json` of each agent.",
  ),
  offset: count.describe(
    "Where in the copy of the file the first line belongs, in bytes of UTF-8, with one for the end of each line. Always 0 for a `.meta.json`, which comes as a whole.",
  ),
  lines: texts.describe("Whole lines, without their ends, in order."),
};

export const TranscriptLines = outbound("transcript_lines", {
  session_id: text.describe("The conversation."),
  ...FILE_LINES,
  through_turn_id: optionalText.describe(
    "The copy now has the last answer or tool result of this turn, and all before. The turn itself has ended.",
  ),
}).describe(
  "The lines that were appended to a file of the conversation, with `options.transcript_mirror`: after the end of each turn, and before `process_exit`. `lines` is empty where only `through_turn_id` is new.",
);
export type TranscriptLines = z.infer<typeof TranscriptLines>;

export const TranscriptFailed = outbound("transcript_failed", {
  session_id: text.describe("The conversation."),
  file: optionalText.describe("The file. Absent if it is not known."),
  reason: z
    .enum(["changed", "unreadable", "line_too_long", "late"])
    .describe(
      "`changed`: it was replaced or shortened; drop your copy of it, it comes again from offset 0. `unreadable`: it cannot be read; the missing lines follow when it can. `line_too_long`: a line of over 30 MiB; nothing more of this file follows. `late`: the end of the turn is not in the file after some seconds; it follows when it is.",
    ),
  message: text.describe("The failure in words, for a person."),
}).describe("The copy of a file is not complete, with `options.transcript_mirror`.");

export const TranscriptRestore = inbound("transcript_restore", {
  session_id: uuid.describe("The conversation."),
  dir: nulFreeText
    .optional()
    .describe("The folder that it is to go on in. Default: the one that Claude works in."),
  worktree: worktreeName
    .optional()
    .describe(
      "The worktree of Claude's own that it is to go on in, as `options.worktree`; it need not be there yet.",
    ),
  env: jsonRecord(text.nullable())
    .superRefine(refuseNul)
    .meta(NUL_FREE)
    .optional()
    .describe(
      "`HOME` and `CLAUDE_CONFIG_DIR` of the `options.env` that Claude is to go on with. Default: before `protocol_init` tugtalk's own, then the session's.",
    ),
  part: number
    .int()
    .positive()
    .optional()
    .describe("1, 2, 3 … where the lines come in several messages; 1 begins anew. Default: 1."),
  more: optionalFlag.describe(
    "True: a further part follows. Default: false, and then the files are put in place.",
  ),
  claude_version: optionalText.describe(
    "The version of Claude that is to go on with it, where it is before 2.1.197: it has other names for folders with a long path.",
  ),
  files: z
    .array(z.object(FILE_LINES).meta({ id: "FileLines", description: "Lines of one file." }))
    .describe(
      "The files of `transcript_lines`, in the order in which they came. Lines that were given before may come again.",
    ),
}).describe(
  "Writes a conversation to where Claude looks for it; also before `protocol_init`, and nothing is started for it. Answered by `transcript_restore_result`, or by `error`.",
);
export type TranscriptRestore = z.infer<typeof TranscriptRestore>;

const RestoreRefusal = z.enum([
  "bad_line",
  "foreign",
  "gap",
  "bad_name",
  "differs",
  "in_use",
  "missing_directory",
  "failed",
]);
export type RestoreRefusal = z.infer<typeof RestoreRefusal>;

export const TranscriptRestoreResult = outbound("transcript_restore_result", {
  session_id: text.describe("The conversation."),
  part: number.int().positive().describe("The part that is answered."),
  ok: flag.describe("False: nothing was written, and the earlier parts are dropped."),
  is_written: flag.describe("The files are in place: a resume finds them."),
  reason: RestoreRefusal.optional().describe(
    "Where `ok` is false. `bad_line`: a line is not a JSON object. `foreign`: a line is of another conversation. `gap`: lines, a part or the conversation's own file are missing. `bad_name`: a name that is no file of the conversation, or a link in its place. `differs`: a file there has other lines. `in_use`: it is the current conversation of this tugtalk. `missing_directory`: there is no such `dir`. `failed`: the system refused it.",
  ),
  message: optionalText.describe("Where `ok` is false: the failure in words, for a person."),
}).describe("Answers `transcript_restore`.");
