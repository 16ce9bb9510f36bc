/** How a host opens the wire: the first message with its choices, and the answer to it. */
import { z } from "zod";
import { inbound, outbound, refuseNul, SessionId } from "./envelope.ts";
import { SessionOptions } from "./options.ts";

const text = z.string();
const uuid = z.uuid();

/** Every permission mode that some CLI knows; `delegate` is for old ones. */
export const PermissionMode = z.enum([
  "default",
  "acceptEdits",
  "bypassPermissions",
  "plan",
  "dontAsk",
  "delegate",
  "auto",
  "manual",
]);
export type PermissionMode = z.infer<typeof PermissionMode>;

/** Means nothing for a new conversation. Refused rather than ignored, since ignoring it would mislead. */
const nowhere = z.undefined().optional();

/** Where a conversation is taken up: before one of the host's messages, or after any other line. */
const place = uuid.optional();

/**
 * Which conversation to begin with. `continue`, and `fork` without an id, take the newest one of the
 * folder; `resume` without an id the one that a bridge was in last.
 */
export const SessionChoice = z.discriminatedUnion("mode", [
  z.object({ mode: z.literal("new"), session_id: SessionId.optional(), at_message: nowhere }),
  z.object({ mode: z.literal("resume"), session_id: SessionId.optional(), at_message: place }),
  z.object({ mode: z.literal("continue"), at_message: place }),
  z.object({ mode: z.literal("fork"), session_id: SessionId.optional(), at_message: place }),
]);
export type SessionChoice = z.infer<typeof SessionChoice>;

/** The name of a model, which is an argument of Claude. */
export const ModelName = text.min(1).superRefine(refuseNul);

/** The first message: opens the wire and chooses the session. */
export const ProtocolInit = inbound("protocol_init", {
  version: z.number().int(),
  session: SessionChoice.optional(),
  model: ModelName.optional(),
  permission_mode: PermissionMode.optional(),
  options: SessionOptions.superRefine(refuseNul).optional(),
});
export type ProtocolInit = z.infer<typeof ProtocolInit>;

/** Answers `protocol_init`, before Claude is up. */
export const ProtocolAck = outbound("protocol_ack", {
  version: z.literal(2),
  /** Names this process: `(instance_id, seq)` is unique for ever. */
  instance_id: uuid,
  tugtalk_version: text,
  session_id: text.optional(),
  /** What this tugtalk can do beyond the contract's core: the host messages that it takes. */
  capabilities: z.object({ inbound: z.array(text) }),
});
