/** The `structured_result` of two tools, for readers of the JSON Schema: the bridge passes it on unread. */
import { z } from "zod";
import { number, text } from "../src/messages/message-schemas.ts";

const StructuredPatchHunk = z
  .looseObject({
    oldStart: number.describe("The first line before the change, from 1 on."),
    oldLines: number.describe("The number of lines before the change."),
    newStart: number.describe("The first line after the change, from 1 on."),
    newLines: number.describe("The number of lines after the change."),
    lines: z.array(text).describe("Each line begins with a space, `-` or `+`."),
  })
  .meta({ id: "StructuredPatchHunk", description: "One hunk of a unified diff." });

const structuredPatch = z.array(StructuredPatchHunk).describe("The change as a diff.");
const originalFile = text
  .nullable()
  .describe("The content of the file before. Null if there was none.");

/** Protocol reference §9b. */
export const EditToolResult = z
  .looseObject({
    filePath: text.describe("The path of the file."),
    oldString: text.describe("The text that was replaced."),
    newString: text.describe("The text in its place."),
    originalFile,
    structuredPatch,
    userModified: z.boolean().describe("The user has changed the edit."),
    replaceAll: z.boolean().describe("All places were changed, and not one only."),
  })
  .meta({ id: "EditToolResult", description: "`structured_result` of Edit." });

/** Protocol reference §9c. */
export const WriteToolResult = z
  .looseObject({
    type: z.enum(["create", "update"]).describe("`update`: the file existed."),
    filePath: text.describe("The path of the file."),
    content: text.describe("The content of the file."),
    structuredPatch,
    originalFile,
  })
  .meta({ id: "WriteToolResult", description: "`structured_result` of Write." });
