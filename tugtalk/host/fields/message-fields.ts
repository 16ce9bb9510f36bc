/**
 * The fields of the commands about messages to Claude and the queue, and of the commands that steer the
 * running turn.
 */
import { z } from "zod";
import { jsonObject } from "../../src/base/json-schemas.ts";
import { CONTROL_SUBTYPES } from "../../src/messages/control-subtypes.ts";
import { Attachment } from "../../src/messages/user-messages.ts";
import { flag, name, ofSession } from "./common-fields.ts";

export const MessageFields = z
  .strictObject({
    ...ofSession,
    message: z.string(),
    attachments: z.array(z.strictObject(Attachment.shape)).max(100).optional(),
    delivery: z.enum(["queue", "steer", "replace", "now"]).optional(),
    client_msg_id: name.optional(),
  })
  .refine(({ message, attachments = [] }) => isText(message) || attachments.length > 0, {
    path: ["message"],
    message: "is blank",
  });
export type MessageFields = z.infer<typeof MessageFields>;

/** A waiting or returned message. */
const Kept = z.strictObject({ ...ofSession, message_id: name });

/** The arguments belong to the subtype. An unknown subtype is left to the bridge, which refuses it. */
const Control = z
  .object({ ...ofSession, subtype: name })
  .and(jsonObject)
  .superRefine(({ id: _, subtype, ...fields }, context) => {
    if (!Object.hasOwn(CONTROL_SUBTYPES, subtype)) return;
    const known = CONTROL_SUBTYPES[subtype]?.fields.shape ?? {};
    const keys = Object.keys(fields).filter((key) => !Object.hasOwn(known, key));
    if (keys.length > 0) context.addIssue({ code: "unrecognized_keys", keys, input: fields });
  });

export const MESSAGE_COMMANDS = {
  message: MessageFields,
  queue: z.strictObject(ofSession),
  edit_queued: Kept.extend({ message: z.string().refine(isText, "is blank") }),
  delete_queued: Kept,
  send_queued: Kept.extend({ delivery: z.enum(["queue", "steer", "now"]).default("queue") }),
  returned: z.strictObject(ofSession),
  read_returned: Kept,
  take_returned: Kept,
  interrupt: z.strictObject({ ...ofSession, include_background: flag.optional() }),
  stop_task: z.strictObject({ ...ofSession, task_id: name }),
  mode: z.strictObject({ ...ofSession, permission_mode: name }),
  /** Null: Claude's default. */
  model: z.strictObject({ ...ofSession, model: name.nullable() }),
  control: Control,
};

function isText(text: string): boolean {
  return text.trim() !== "";
}
