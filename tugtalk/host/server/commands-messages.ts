/** Commands about messages to Claude and the queue, and those that steer what runs. */
import { z } from "zod";
import { jsonObject } from "../../src/base/json-schemas.ts";
import { Attachment } from "../../src/messages/user-messages.ts";
import { type CommandAnswer, command, ok } from "../api/command.ts";
import type { HostSession, HostSessions, MessageReceipt } from "../api/host-session.ts";
import { flag, name, ofSession } from "./command-fields.ts";

const Message = z
  .object({
    ...ofSession,
    message: z.string(),
    attachments: z.array(Attachment).max(100).optional(),
    delivery: z.enum(["queue", "steer", "replace"]).optional(),
    client_msg_id: name.optional(),
  })
  .refine(({ message, attachments = [] }) => isText(message) || attachments.length > 0, {
    path: ["message"],
    message: "is blank",
  });

const Queued = z.object({ ...ofSession, message_id: name });
const Edited = Queued.extend({ message: z.string().refine(isText, "is blank") });
const SentNow = Queued.extend({ delivery: z.enum(["queue", "steer"]).default("queue") });
const Mode = z.object({ ...ofSession, mode: name });
/** Null: Claude's default. */
const Model = z.object({ ...ofSession, model: name.nullable() });
const Control = z.object({ ...ofSession, subtype: name }).and(jsonObject);
const Interrupt = z.object({ ...ofSession, include_background: flag.optional() });
const Task = z.object({ ...ofSession, task_id: name });

export function messageCommands(sessions: HostSessions) {
  return {
    message: command(Message, async ({ id, client_msg_id, ...message }) =>
      receiptAnswer(await sessions.get(id).message({ ...message, clientMessageId: client_msg_id })),
    ),
    ...queueCommands(sessions),
    interrupt: command(Interrupt, async ({ id, include_background = false }) => {
      const withdrawn = await sessions.get(id).interrupt({ includeBackground: include_background });
      return ok({ status: "ok", ...withdrawn });
    }),
    stop_task: command(Task, async ({ id, task_id }) => {
      await sessions.get(id).stopTask(task_id);
      return ok({ status: "ok" });
    }),
    mode: command(Mode, async ({ id, mode }) =>
      ok({ status: "ok", response: await sessions.get(id).setMode(mode) }),
    ),
    model: command(Model, async ({ id, model }) =>
      ok({ status: "ok", response: await sessions.get(id).setModel(model) }),
    ),
    control: command(Control, async ({ id, subtype, stageId: _, ...fields }) =>
      ok({ status: "ok", response: await sessions.get(id).control(subtype, fields) }),
    ),
  };
}

function queueCommands(sessions: HostSessions) {
  return {
    queue: command(z.object(ofSession), ({ id }) => queueAnswer(sessions.get(id))),
    edit_queued: command(Edited, ({ id, message_id, message }) => {
      const session = sessions.get(id);
      session.editQueued(message_id, message);
      return queueAnswer(session);
    }),
    delete_queued: command(Queued, ({ id, message_id }) => {
      const session = sessions.get(id);
      session.deleteQueued(message_id);
      return queueAnswer(session);
    }),
    send_queued: command(SentNow, async ({ id, message_id, delivery }) => {
      const session = sessions.get(id);
      const receipt = await session.sendQueued(message_id, delivery);
      return ok({ ...receipt, queue: session.queue() });
    }),
  };
}

function isText(text: string): boolean {
  return text.trim() !== "";
}

function receiptAnswer(receipt: MessageReceipt): CommandAnswer {
  return { status: receipt.status === "sent" ? 200 : 202, body: receipt };
}

function queueAnswer(session: HostSession): CommandAnswer {
  return ok({ queue: session.queue() });
}
