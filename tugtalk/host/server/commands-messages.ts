/** Commands about messages to Claude and the queue, and those that steer what runs. */
import { z } from "zod";
import { jsonObject } from "../../src/base/json-schemas.ts";
import { attachmentRejection } from "../../src/messages/attachment-rejection.ts";
import { CONTROL_SUBTYPES } from "../../src/messages/control-subtypes.ts";
import { Attachment } from "../../src/messages/user-messages.ts";
import { ApiError } from "../api/api-error.ts";
import { type CommandAnswer, command, ok } from "../api/command.ts";
import type { HostSession, HostSessions, MessageReceipt } from "../api/host-session.ts";
import { flag, name, ofSession } from "./command-fields.ts";

const Message = z
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

const Queued = z.strictObject({ ...ofSession, message_id: name });
const Edited = Queued.extend({ message: z.string().refine(isText, "is blank") });
const SentNow = Queued.extend({ delivery: z.enum(["queue", "steer", "now"]).default("queue") });
const Mode = z.strictObject({ ...ofSession, permission_mode: name });
/** Null: Claude's default. */
const Model = z.strictObject({ ...ofSession, model: name.nullable() });
/** The arguments are those of the subtype. One that is not known is left to the bridge, which refuses it. */
const Control = z
  .object({ ...ofSession, subtype: name })
  .and(jsonObject)
  .superRefine(({ id: _, subtype, ...fields }, context) => {
    if (!Object.hasOwn(CONTROL_SUBTYPES, subtype)) return;
    const known = CONTROL_SUBTYPES[subtype]?.fields.shape ?? {};
    const keys = Object.keys(fields).filter((key) => !Object.hasOwn(known, key));
    if (keys.length > 0) context.addIssue({ code: "unrecognized_keys", keys, input: fields });
  });
const Interrupt = z.strictObject({ ...ofSession, include_background: flag.optional() });
const Task = z.strictObject({ ...ofSession, task_id: name });

export function messageCommands(sessions: HostSessions) {
  return {
    message: command(Message, async ({ id, client_msg_id, ...message }) => {
      const session = sessions.get(id);
      checkAttachments(message);
      return receiptAnswer(await session.message({ ...message, clientMessageId: client_msg_id }));
    }),
    ...queueCommands(sessions),
    ...returnedCommands(sessions),
    interrupt: command(Interrupt, async ({ id, include_background = false }) => {
      const withdrawn = await sessions.get(id).interrupt({ includeBackground: include_background });
      return ok({ status: "ok", ...withdrawn });
    }),
    stop_task: command(Task, async ({ id, task_id }) => {
      await sessions.get(id).stopTask(task_id);
      return ok({ status: "ok" });
    }),
    mode: command(Mode, async ({ id, permission_mode }) =>
      ok({ status: "ok", response: await sessions.get(id).setMode(permission_mode) }),
    ),
    model: command(Model, async ({ id, model }) =>
      ok({ status: "ok", response: await sessions.get(id).setModel(model) }),
    ),
    control: command(Control, async ({ id, subtype, ...fields }) =>
      ok({ status: "ok", response: await sessions.get(id).control(subtype, fields) }),
    ),
  };
}

function queueCommands(sessions: HostSessions) {
  return {
    queue: command(z.strictObject(ofSession), ({ id }) => queueAnswer(sessions.get(id))),
    edit_queued: command(Edited, async ({ id, message_id, message }) => {
      const session = sessions.get(id);
      await session.editQueued(message_id, message);
      return queueAnswer(session);
    }),
    delete_queued: command(Queued, async ({ id, message_id }) => {
      const session = sessions.get(id);
      await session.deleteQueued(message_id);
      return queueAnswer(session);
    }),
    send_queued: command(SentNow, async ({ id, message_id, delivery }) => {
      const session = sessions.get(id);
      const receipt = await session.sendQueued(message_id, delivery);
      return ok({ ...receipt, queue: await session.queue() });
    }),
  };
}

/** What was returned stays with the host until somebody takes it. */
function returnedCommands(sessions: HostSessions) {
  return {
    returned: command(z.strictObject(ofSession), async ({ id }) =>
      ok({ returned: await sessions.get(id).returned() }),
    ),
    read_returned: command(Queued, async ({ id, message_id }) =>
      ok({ ...(await sessions.get(id).readReturned(message_id)) }),
    ),
    take_returned: command(Queued, async ({ id, message_id }) =>
      ok({ ...(await sessions.get(id).takeReturned(message_id)) }),
    ),
  };
}

/** Before the message waits: the bridge would refuse it when nobody waits for an answer any more. */
function checkAttachments({
  attachments = [],
}: Pick<z.infer<typeof Message>, "attachments">): void {
  const rejected = attachmentRejection(attachments);
  if (rejected !== undefined) throw new ApiError(400, "attachment_rejected", rejected);
}

function isText(text: string): boolean {
  return text.trim() !== "";
}

function receiptAnswer(receipt: MessageReceipt): CommandAnswer {
  return { status: receipt.status === "queued" ? 202 : 200, body: receipt };
}

async function queueAnswer(session: HostSession): Promise<CommandAnswer> {
  return ok({ queue: await session.queue() });
}
