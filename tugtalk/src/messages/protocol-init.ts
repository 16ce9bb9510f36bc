/** The first message of a host, and its answer. */
import { z } from "zod";
import {
  inbound,
  nulFreeText,
  number,
  optionalText,
  outbound,
  refuseNul,
  text,
  texts,
  uuid,
} from "./message-schemas.ts";
import { SessionOptions } from "./options.ts";

export const PermissionMode = z
  .enum([
    "default",
    "acceptEdits",
    "bypassPermissions",
    "plan",
    "dontAsk",
    "delegate",
    "auto",
    "manual",
  ])
  .meta({
    id: "PermissionMode",
    description:
      "A permission mode of some CLI version. Of those measured, `delegate` is on 2.1.38 only, `auto` is not on 2.1.38, and `manual` is another name of `default` on 2.1.330.",
  });

const resumeAt = uuid
  .optional()
  .describe(
    "Where the conversation continues: before the message of the host with this `message_id`, or after any other line with this `uuid`. Absent: at its end.",
  );

function mode<Mode extends string>(name: Mode, description: string) {
  return z.literal(name).describe(description);
}

export const SessionChoice = z
  .discriminatedUnion("mode", [
    z.object({
      mode: mode("new", "A new conversation."),
      session_id: uuid.optional().describe("The id to use. Absent: tugtalk makes one."),
      at_message: z.undefined().optional(),
    }),
    z.object({
      mode: mode("resume", "Continues a conversation under its id."),
      session_id: uuid
        .optional()
        .describe("The conversation. Absent: the last one of a bridge in this folder."),
      at_message: resumeAt,
    }),
    z.object({
      mode: mode("continue", "Continues the newest conversation of the folder, from any program."),
      at_message: resumeAt,
    }),
    z.object({
      mode: mode("fork", "Continues in a copy of a conversation, under a new id."),
      session_id: uuid
        .optional()
        .describe("The conversation to copy. Absent: the newest of the folder."),
      at_message: resumeAt,
    }),
  ])
  .meta({ id: "SessionChoice", description: "The first conversation." });
export type SessionChoice = z.infer<typeof SessionChoice>;

export const ProtocolInit = inbound("protocol_init", {
  version: number
    .int()
    .describe(
      "The version of the wire. 1 and 2 mean the same and are answered with 2; any other one gets `error{unsupported_version}` and ends tugtalk.",
    ),
  session: SessionChoice.optional().describe('The first conversation. Default: `{mode: "new"}`.'),
  model: nulFreeText
    .optional()
    .describe("Claude's name or alias of a model. Default: Claude's own."),
  permission_mode: PermissionMode.optional().describe("Default: Claude's own."),
  dir: nulFreeText
    .optional()
    .describe(
      "The folder that Claude works in, in place of `--dir`. A relative path starts where tugtalk was started.",
    ),
  options: SessionOptions.superRefine(refuseNul).optional().describe("The options of the session."),
}).describe("The first message, once: selects the version of the wire and the session.");
export type ProtocolInit = z.infer<typeof ProtocolInit>;

export const ProtocolAck = outbound("protocol_ack", {
  version: z.literal(2).describe("The version of the wire."),
  instance_id: z
    .uuid()
    .describe("Identifies this process: `(instance_id, seq)` is globally unique. Set by tugtalk."),
  tugtalk_version: text.describe("The version of tugtalk."),
  session_id: optionalText.describe(
    "The id of the conversation. Absent while it is unknown; `session_init` has it.",
  ),
  capabilities: z
    .object({
      inbound: texts.describe("The types of host messages that this tugtalk accepts."),
    })
    .describe("The abilities of this tugtalk."),
}).describe("Answers `protocol_init` before Claude has started.");
