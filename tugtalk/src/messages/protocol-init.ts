/** The first message of a host, and its answer. */
import { z } from "zod";
import {
  inbound,
  NUL_FREE,
  outbound,
  refuseNul,
  SessionId,
  WorkingFolder,
} from "./message-schemas.ts";
import { SessionOptions } from "./options.ts";
import { PERMISSION_MODES } from "./permission-modes.ts";

const text = z.string();
const uuid = z.uuid();

export const PermissionMode = z.enum(PERMISSION_MODES).meta({
  id: "PermissionMode",
  description:
    "A permission mode of some CLI version. Of those measured, `delegate` is on 2.1.38 only, `auto` is not on 2.1.38, and `manual` is another name of `default` on 2.1.330.",
});

const resumeAt = uuid
  .toLowerCase()
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
      session_id: SessionId.optional().describe("The id to use. Absent: tugtalk makes one."),
      at_message: z.undefined().optional(),
    }),
    z.object({
      mode: mode("resume", "Continues a conversation under its id."),
      session_id: SessionId.optional().describe(
        "The conversation. Absent: the last one of a bridge in this folder.",
      ),
      at_message: resumeAt,
    }),
    z.object({
      mode: mode(
        "continue",
        "Continues the newest conversation of the folder, whoever started it.",
      ),
      at_message: resumeAt,
    }),
    z.object({
      mode: mode("fork", "Continues in a copy of a conversation, under a new id."),
      session_id: SessionId.optional().describe(
        "The conversation to copy. Absent: the newest of the folder.",
      ),
      at_message: resumeAt,
    }),
  ])
  .meta({ id: "SessionChoice", description: "The first conversation." });
export type SessionChoice = z.infer<typeof SessionChoice>;

/** The name of a model, which becomes an argument of Claude. */
export const ModelName = text.min(1).superRefine(refuseNul).meta(NUL_FREE);

export const ProtocolInit = inbound("protocol_init", {
  version: z
    .number()
    .int()
    .describe(
      "The version of the wire. 1 and 2 mean the same and are answered with 2; any other one gets `error{unsupported_version}` and ends tugtalk.",
    ),
  session: SessionChoice.optional().describe('The first conversation. Default: `{mode: "new"}`.'),
  model: ModelName.optional().describe("Claude's name or alias of a model. Default: Claude's own."),
  permission_mode: PermissionMode.optional().describe("Default: Claude's own."),
  dir: WorkingFolder.optional().describe(
    "The folder that Claude works in, in place of `--dir`. A relative path starts where tugtalk was started.",
  ),
  options: SessionOptions.superRefine(refuseNul).optional().describe("The options of the session."),
}).meta({
  id: "ProtocolInit",
  description: "The first message, once: selects the version of the wire and the session.",
});
export type ProtocolInit = z.infer<typeof ProtocolInit>;

export const ProtocolAck = outbound("protocol_ack", {
  version: z.literal(2).describe("The version of the wire."),
  instance_id: uuid.describe(
    "Identifies this process: `(instance_id, seq)` is globally unique. Set by tugtalk.",
  ),
  tugtalk_version: text.describe("The version of tugtalk."),
  session_id: text
    .optional()
    .describe("The id of the conversation. Absent while it is unknown; `session_init` has it."),
  capabilities: z
    .object({
      inbound: z.array(text).describe("The types of host messages that this tugtalk accepts."),
    })
    .describe("What this tugtalk can do."),
}).meta({ id: "ProtocolAck", description: "Answers `protocol_init` before Claude has started." });
