/** Schemas of sessions and their messages in the answers of commands. */
import { z } from "zod";
import { SessionStateChanged } from "../../src/messages/session-messages.ts";
import { Attachment } from "../../src/messages/user-messages.ts";

const text = z.string();
const integer = z.int();
const time = z.int();

/** Claude's state, or the host's state of an unreachable session. */
export const SessionState = z.enum([
  ...SessionStateChanged.shape.state.options,
  "disconnected",
  "failed",
]);

export const Cursor = z
  .object({
    epoch: integer.describe("A journal is continuous within one epoch."),
    seq: integer.describe("The last entry that the client has; 0 before the first one."),
  })
  .meta({ id: "Cursor", description: "Where a client is in the journal of a session." });

export const Session = z
  .object({
    id: text.describe("A UUID of the host's."),
    claude_session_id: text.optional().describe("Claude's id of the conversation."),
    place: text.describe("Where its bridge runs; `local` is the machine of the host."),
    machine: text
      .optional()
      .describe("That of the place `local`, where many hosts share sessions."),
    unreachable: z.literal(true).optional().describe("No host that lives can run it."),
    dir: text.describe("The folder that Claude works in."),
    mirror: z.literal(true).optional().describe("It can be moved."),
    title: text,
    state: SessionState,
    model: text.optional().describe("The model that was chosen."),
    permission_mode: text.optional().describe("The permission mode that was chosen."),
    pending: integer.describe("How many prompts are open."),
    queued: integer.describe("How many messages wait."),
    cost_usd: z.number(),
    limit_usd: z.number().optional().describe("The most that its turns may cost."),
    goes_on: z.literal(true).optional().describe("It goes on by itself after the usage limit."),
    limit_resets_at: time.optional().describe("When the usage limit is reset."),
    goes_on_at: time.optional().describe("When it goes on by itself."),
    created_at: time,
    updated_at: time,
    archived_at: time.optional().describe("When a person has put it away."),
    last_text: text.optional().describe("The beginning of the latest text of Claude."),
    last_error: text.optional(),
  })
  .meta({ id: "Session", description: "A session." });

const queued = { message_id: text, message: text, queued_at: time };
const delivery = z
  .literal("replace")
  .optional()
  .describe("The next message of this kind takes its place.");

const QueuedMessage = z
  .object({
    ...queued,
    delivery,
    attachments: z.array(z.object({ filename: text, media_type: text })).optional(),
  })
  .meta({ id: "QueuedMessage", description: "A message that waits, without its attachments." });

export const ReturnedMessage = z
  .object({ ...queued, delivery, attachments: z.array(Attachment) })
  .meta({ id: "ReturnedMessage", description: "A message that has come back, whole." });

export const QueuedMessages = z.array(QueuedMessage);

const Sent = z.object({ status: z.literal("sent"), message_id: text });
const Unread = z.object({
  status: z.enum(["returned", "taken", "deleted", "replaced"]),
  message_id: text,
});
const Waiting = z.object({
  status: z.literal("queued"),
  message_id: text,
  position: integer.describe("From 1."),
});

/** The fate of a message, by the status of the answer. */
export const RECEIPTS = {
  200: z.union([Sent, Unread]),
  202: Waiting,
} as const;

/** The fate of a message that is sent out of the queue. */
export const QueueReceipt = z.union(
  [Sent, Unread, Waiting].map((receipt) => receipt.extend({ queue: QueuedMessages })),
);

export const Withdrawn = z.object({
  status: z.literal("ok"),
  queued: z.array(text).describe("The texts that waited, oldest first."),
  queued_messages: z.array(ReturnedMessage).describe("The same as messages."),
});

export const RewoundFiles = z
  .object({
    paths: z.array(text),
    insertions: integer.describe("Lines that come back."),
    deletions: integer.describe("Lines that go."),
  })
  .meta({ id: "RewoundFiles", description: "Files that are put back." });

const Refused = z.object({ ok: z.literal(false), error: text });
const accepted = { ok: z.literal(true) };

export const Rewound = z.object({
  status: z.literal("ok"),
  files: z
    .union([RewoundFiles.extend(accepted), Refused, RewoundFiles])
    .optional()
    .describe("Those that were put back; with `dry_run` those that would be, or why not."),
  conversation: z
    .union([z.object(accepted), Refused])
    .optional()
    .describe("With `dry_run`: whether Claude can go back."),
  session: Session.optional().describe("The copy, with `conversation` `fork`."),
});
