/** Commands about messages to Claude and the queue, and commands that steer the running turn. */
import type { MessageReceipt, QueuedMessageInfo } from "../../client/host-api.ts";
import { attachmentRejection } from "../../src/messages/attachment-rejection.ts";
import { ApiError } from "../api/api-error.ts";
import { type CommandAnswer, command, ok } from "../api/command.ts";
import type { HostSession, HostSessions } from "../api/host-session.ts";
import { COMMAND_FIELDS } from "../fields/command-fields.ts";
import type { MessageFields } from "../fields/message-fields.ts";

export function messageCommands(sessions: HostSessions) {
  return {
    message: command(COMMAND_FIELDS.message, async ({ id, client_msg_id, ...message }) => {
      const session = sessions.get(id);
      checkAttachments(message);
      return receiptAnswer(await session.message({ ...message, clientMessageId: client_msg_id }));
    }),
    ...queueCommands(sessions),
    ...returnedCommands(sessions),
    interrupt: command(COMMAND_FIELDS.interrupt, async ({ id, include_background = false }) => {
      const withdrawn = await sessions.get(id).interrupt({ includeBackground: include_background });
      return ok({ status: "ok", ...withdrawn });
    }),
    stop_task: command(COMMAND_FIELDS.stop_task, async ({ id, task_id }) => {
      await sessions.get(id).stopTask(task_id);
      return ok({ status: "ok" });
    }),
    mode: command(COMMAND_FIELDS.mode, async ({ id, permission_mode }) =>
      ok({ status: "ok", response: await sessions.get(id).setMode(permission_mode) }),
    ),
    model: command(COMMAND_FIELDS.model, async ({ id, model }) =>
      ok({ status: "ok", response: await sessions.get(id).setModel(model) }),
    ),
    control: command(COMMAND_FIELDS.control, async ({ id, subtype, ...fields }) =>
      ok({ status: "ok", response: await sessions.get(id).control(subtype, fields) }),
    ),
  };
}

function queueCommands(sessions: HostSessions) {
  return {
    queue: command(COMMAND_FIELDS.queue, ({ id }) => queueAnswer(sessions.get(id))),
    edit_queued: command(COMMAND_FIELDS.edit_queued, async ({ id, message_id, message }) => {
      const session = sessions.get(id);
      await session.editQueued(message_id, message);
      return queueAnswer(session);
    }),
    delete_queued: command(COMMAND_FIELDS.delete_queued, async ({ id, message_id }) => {
      const session = sessions.get(id);
      await session.deleteQueued(message_id);
      return queueAnswer(session);
    }),
    send_queued: command(COMMAND_FIELDS.send_queued, async ({ id, message_id, delivery }) => {
      const session = sessions.get(id);
      const receipt = await session.sendQueued(message_id, delivery);
      return ok({ ...receipt, queue: await session.queue() });
    }),
  };
}

/** A returned message stays with the host until somebody takes it. */
function returnedCommands(sessions: HostSessions) {
  return {
    returned: command(COMMAND_FIELDS.returned, async ({ id }) =>
      ok({ returned: await sessions.get(id).returned() }),
    ),
    read_returned: command(COMMAND_FIELDS.read_returned, async ({ id, message_id }) =>
      ok(await sessions.get(id).readReturned(message_id)),
    ),
    take_returned: command(COMMAND_FIELDS.take_returned, async ({ id, message_id }) =>
      ok(await sessions.get(id).takeReturned(message_id)),
    ),
  };
}

/** Checks before the message waits: the bridge would refuse it after the client has its answer. */
function checkAttachments({ attachments = [] }: Pick<MessageFields, "attachments">): void {
  const rejected = attachmentRejection(attachments);
  if (rejected !== undefined) throw new ApiError(400, "attachment_rejected", rejected);
}

function receiptAnswer(receipt: MessageReceipt): CommandAnswer<MessageReceipt> {
  return { status: receipt.status === "queued" ? 202 : 200, body: receipt };
}

async function queueAnswer(
  session: HostSession,
): Promise<CommandAnswer<{ readonly queue: readonly QueuedMessageInfo[] }>> {
  return ok({ queue: await session.queue() });
}
