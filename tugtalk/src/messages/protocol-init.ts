/** The first message of a host, and its answer. */
import { z } from "zod";
import { inbound, outbound, refuseNul, SessionId } from "./envelope.ts";
import { SessionOptions } from "./options.ts";

const text = z.string();
const uuid = z.uuid();

/** Every permission mode of some CLI version; `delegate` exists in old ones only. */
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

/** Where to resume: before a message of the host, or after any other line. A new conversation has none. */
const resumeAt = uuid.toLowerCase().optional();

/**
 * The first conversation. `continue`, and `fork` without an id, use the newest one of the folder;
 * `resume` without an id uses the last one of a bridge in this folder.
 */
export const SessionChoice = z.discriminatedUnion("mode", [
  z.object({
    mode: z.literal("new"),
    session_id: SessionId.optional(),
    at_message: z.undefined().optional(),
  }),
  z.object({ mode: z.literal("resume"), session_id: SessionId.optional(), at_message: resumeAt }),
  z.object({ mode: z.literal("continue"), at_message: resumeAt }),
  z.object({ mode: z.literal("fork"), session_id: SessionId.optional(), at_message: resumeAt }),
]);
export type SessionChoice = z.infer<typeof SessionChoice>;

/** The name of a model, which becomes an argument of Claude. */
export const ModelName = text.min(1).superRefine(refuseNul);

/** The first message: selects the version of the wire and the session. */
export const ProtocolInit = inbound("protocol_init", {
  version: z.number().int(),
  session: SessionChoice.optional(),
  model: ModelName.optional(),
  permission_mode: PermissionMode.optional(),
  options: SessionOptions.superRefine(refuseNul).optional(),
});
export type ProtocolInit = z.infer<typeof ProtocolInit>;

/** Answers `protocol_init` before Claude has started. */
export const ProtocolAck = outbound("protocol_ack", {
  version: z.literal(2),
  /** Identifies this process: `(instance_id, seq)` is globally unique. */
  instance_id: uuid,
  tugtalk_version: text,
  session_id: text.optional(),
  /** The types of host messages that this tugtalk accepts. */
  capabilities: z.object({ inbound: z.array(text) }),
});
