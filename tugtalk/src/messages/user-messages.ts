/** Messages of the host for the conversation: prompts with their attachments, and their withdrawal. */
import { z } from "zod";
import { inbound, text, uuid } from "./message-schemas.ts";

export const Attachment = z
  .object({
    filename: text.describe("The name of the file, for error messages."),
    content: text.describe(
      "Base64 for an image, at most 5 MiB; for a text the text itself, which must not be empty.",
    ),
    media_type: text.describe(
      "`image/png`, `image/jpeg`, `image/gif`, `image/webp`, `text/*` or `application/json`.",
    ),
  })
  .meta({
    id: "Attachment",
    description:
      "An attached file: an image, whose first bytes are checked, or a plain text. All of one message have at most 32 MiB.",
  });
export type Attachment = z.infer<typeof Attachment>;

export const UserMessageInput = inbound("user_message", {
  text: text.describe(
    "The text, sent unchanged. Empty only with attachments. One that begins with `/` is a command, if there are no attachments.",
  ),
  attachments: z
    .array(Attachment)
    .optional()
    .describe("Files, each sent as one block after the text, in order."),
  message_id: uuid
    .optional()
    .describe(
      "The id for receipts. Absent: tugtalk makes one. Upper case is converted to lower case; an id that was used before is rejected.",
    ),
  delivery: z
    .enum(["queue", "steer", "replace", "now"])
    .optional()
    .describe(
      "`queue`, the default, waits until no turn is open. `steer` is delivered at once, and Claude reads it after the running tool or in a later turn. `replace` is `queue`, and cancels an earlier `replace` message that is still queued. `now` interrupts the open turn, and goes before all that waits.",
    ),
}).describe(
  "A message for Claude, or a slash command. Answered by `message_status{queued}`, or by `error` and `message_status{rejected}`; as `bad_message` or `not_initialized` by the `error` alone. May be sent from `protocol_init` on.",
);
export type UserMessageInput = z.infer<typeof UserMessageInput>;

export const CancelMessage = inbound("cancel_message", {
  message_id: uuid.describe("The message."),
}).describe(
  "Withdraws a user message that has not started. Answered by `control_result`, whose `error` is `too_late`, `unknown_message` or begins with `unsupported` (Claude 2.1.38 cannot return a message that it has).",
);
export type CancelMessage = z.infer<typeof CancelMessage>;
