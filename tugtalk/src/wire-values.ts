/** Values of the two wires that say what a message is, and are no secret, whatever they look like. */
import { wireWords } from "./wire-words.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Fields that hold a word of a wire: masking that would make another message of it. */
const VOCABULARY: ReadonlySet<string> = new Set([
  "type",
  "subtype",
  "kind",
  "role",
  "status",
  "state",
  "mode",
  "decision",
  "behavior",
  "trigger",
  "effort",
  "model",
]);

/** Fields that hold words of the wires, and of no person. */
const WORDS: ReadonlySet<string> = new Set([
  "action",
  "command",
  "delivery",
  "event",
  "permissionMode",
  "permission_mode",
  "reason",
]);

/** Fields with the id of a message, a request, a conversation and the like; one that was looked up has no name. */
const ID =
  /^(?:|id|uuid|in_reply_to|at_message|resume|resume_session_at|messageId|sessionId|parentUuid|logicalParentUuid|(?:[a-z]+_)*(?:session|conversation|message|msg|request|source|task|turn|run|instance|agent|hook|tool_use|command)_(?:uu)?id)$/;
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Whether a field, or a flag, says with a word, or an id, what its message is or is about. */
export function isMeant(key: string, text: string): boolean {
  if (VOCABULARY.has(key) && /^[a-z_]+$/i.test(text)) return true;
  if (WORDS.has(key) && wireWords().has(text)) return true;
  return ID.test(key) && UUID.test(text);
}

/** Whether a field holds the bytes of a file that is no text, such as a picture: any letters may stand there. */
export function isFileContent(key: string, value: unknown, fields: Fields): boolean {
  const { media_type: type } = fields;
  const isFile = typeof type === "string" && /^(?:image|audio|video|application)\//.test(type);
  if (!isFile || typeof value !== "string" || (key !== "data" && key !== "content")) return false;
  return value.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(value);
}
