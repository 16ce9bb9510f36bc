/**
 * Conversation files: the lines to Claude and the lines from Claude, one JSON object a line: `{"dir":
 * …, "msg": …, "t"?: milliseconds}`. Captures and recordings of `tugtalk --record` have this form; the
 * entries of a recording about the bridge and its host are not played.
 *
 * - `in`    a line on Claude's stdin; `"<EOF>"` is its end. Its kind alone counts: `type`, for a control
 *           request also `request.subtype`, for a control response also `response.request_id`.
 * - `out`   a line that Claude prints. An object is printed as JSON, and a string unchanged, for bad
 *           lines. `{"__unterminated": text}` prints text without a newline. Lines that a recorder has
 *           left out are not printed.
 * - `err`   text for stderr, with the newline only if the text has one.
 * - `pause` milliseconds to wait, for conversations that a person watches.
 * - `exit`  `{code, signal, stderr?}`: how the process ends, at this point.
 * - `spawn` begins the lines of the next process, unless lines name their process as `run`. The first
 *           line of the file may be a `spawn`.
 * - `note`  a comment for readers.
 *
 * Short forms, which are written by hand, and played as the lines of the CLI (see `shorthand.ts`):
 *
 * - `open`  the lines that open a turn, with these fields of `system/init` changed. Without a user
 *           message before it, Claude begins the turn by itself.
 * - `reply` a message of the model, streamed; with `parent`, a whole one of that subagent.
 * - `end`   the result, with these fields changed, and the lines after it.
 * - `hook`  the host's answer at its hook for a prompt, before the turn, or for the end of a turn.
 * - `call`  a call of a tool, with its hooks and its prompt; `result` is the result of Claude's own tools.
 * - `host_calls` a call of each tool that the host has declared.
 *
 * `"$session"` stands for the session's id, `"$new"` for another id each time, and a name like
 * `$toolu_1`, also within a text, for one id of its kind (see `scenario-ids.ts`).
 * `{"$repeat": "line {n}", "count": 3, "join": "\n"}` stands for the texts `line 1`, `line 2` and
 * `line 3`. With `join` they are one text. Without it they are elements of the array around them, or one
 * text if there is no array.
 * In the objects of `out` lines these strings stand for values that the host has sent. `"$uuid"` and
 * `"$content"` are from the user message that opened the turn. `"$input"` is the tool input of the last
 * answered prompt as the host changed it, `"$answers"` its answers in a sentence.
 */
import { z } from "zod";
import { fieldsOf, isJsonObject } from "../src/base/json.ts";
import { RecordedText, restoreTexts } from "../src/recording/recorded-texts.ts";

const Repeat = z.strictObject({
  $repeat: z.string(),
  count: z.number().int().positive().max(100_000),
  join: z.string().optional(),
});

const of = { t: z.number().optional(), run: z.number().int().optional() };

/** The entries of a recording about the bridge and its host. */
const OfBridge = z.object({
  dir: z.enum([
    ...["host", "host_drained", "host_gone", "emit", "signal", "kill", "ended"],
    ...["spawn_failed", "file", "file_failed", "found", "lookup_failed", "timer", "fault", "id"],
  ] as const),
});

const Exit = z.object({
  code: z.number().nullable(),
  signal: z.string().nullable(),
  stderr: z.string().optional(),
});

const pieces = { pieces: z.array(z.string()).exactOptional() };

const ReplyBlock = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("text"), text: z.string(), ...pieces }),
  z.strictObject({ type: z.literal("thinking"), thinking: z.string(), ...pieces }),
  z.strictObject({
    type: z.literal("tool_use"),
    id: z.string(),
    name: z.string(),
    input: z.record(z.string(), z.unknown()),
    ...pieces,
  }),
]);

/** A message of the model; deltas of `pieceChars` characters come `delayMs` apart. */
export const ScriptedReply = z.strictObject({
  content: z.array(ReplyBlock),
  pieceChars: z.number().int().positive().exactOptional(),
  delayMs: z.number().nonnegative().exactOptional(),
  /** The place where it breaks off, as when a process dies. */
  cut: z
    .strictObject({ at: z.strictObject({ afterDeltas: z.number().int().positive() }) })
    .exactOptional(),
  stopReason: z.string().exactOptional(),
  /** The call of the subagent that sends it. */
  parent: z.string().exactOptional(),
});
export type ReplyBlock = z.infer<typeof ReplyBlock>;
export type ScriptedReply = z.infer<typeof ScriptedReply>;

/** A call of a tool. */
const ScriptedCall = z.strictObject({
  name: z.string(),
  input: z.record(z.string(), z.unknown()),
  result: z.string().exactOptional(),
});
export type ScriptedCall = z.infer<typeof ScriptedCall>;

/** One played entry. */
export const ConversationEntry = z.discriminatedUnion("dir", [
  z.object({ dir: z.literal("in"), msg: z.unknown(), ...of }),
  z.object({
    dir: z.literal("out"),
    msg: z.union([z.string(), z.record(z.string(), z.unknown())]),
    ...of,
  }),
  z.object({ dir: z.literal("err"), msg: z.string(), ...of }),
  z.object({ dir: z.literal("exit"), msg: Exit, ...of }),
  z.object({ dir: z.literal("pause"), msg: z.number().nonnegative(), ...of }),
  z.object({ dir: z.literal("open"), msg: z.record(z.string(), z.unknown()).default({}) }),
  z.object({ dir: z.literal("reply"), msg: ScriptedReply }),
  z.object({ dir: z.literal("end"), msg: z.record(z.string(), z.unknown()).default({}) }),
  z.object({ dir: z.literal("hook"), msg: z.enum(["UserPromptSubmit", "Stop"]) }),
  z.object({ dir: z.literal("call"), msg: ScriptedCall }),
  z.object({ dir: z.literal("host_calls"), msg: z.undefined().optional() }),
]);
export type ConversationEntry = z.infer<typeof ConversationEntry>;

/** The entries after an answer of the host, made once the answer is there. None: the turn has ended. */
type Consequence = {
  readonly dir: "then";
  readonly msg: () => readonly PlayedEntry[] | undefined;
};

/** An entry of a file, or one that follows from it. */
export type PlayedEntry = ConversationEntry | Consequence;

/** One line of a conversation file. */
const FileEntry = z.discriminatedUnion("dir", [
  ConversationEntry,
  z.object({ dir: z.literal("spawn") }),
  z.object({ dir: z.literal("note") }),
  RecordedText,
  OfBridge,
]);
type FileEntry = z.infer<typeof FileEntry> & { readonly line: number };

type Entry = ConversationEntry & { readonly line: number };

/** A parsed file without its comments; `line` counts from 1. */
export type Conversation = { readonly entries: readonly Entry[] };

/** A conversation in which nothing is scripted. */
export const EMPTY_CONVERSATION: Conversation = { entries: [] };

/** How a conversation writes the end of Claude's stdin. */
export const END_OF_INPUT = "<EOF>";

/**
 * The part of the conversation in `text` that the `process`th process plays; after the last the first is next
 * again. Throws with the number of the first line that is not an entry.
 */
export function parseConversation(text: string, process = 1): Conversation {
  const lines = text.split("\n").map((content, index) => ({ content, line: index + 1 }));
  const entries = lines
    .filter(({ content }) => content.trim() !== "")
    .map(({ content, line }): FileEntry => ({ ...parseEntry(content, line), line }));
  let spawned = 0;
  const parts = Map.groupBy(restoreTexts(entries).filter(isKept), (entry) => {
    if (entry.dir === "spawn") spawned += 1;
    return ("run" in entry ? entry.run : undefined) ?? spawned;
  });
  const played = [...parts.values()]
    .map((part) => part.filter((entry): entry is Entry => entry.dir !== "spawn"))
    .filter((part) => part.length > 0);
  return { entries: played[(process - 1) % played.length] ?? [] };
}

/** The fields of the replacement for a line that a recorder has left out. */
const LEFT_OUT = ["__trimmed", "$overlong_bytes", "$not_utf8_bytes"];

function isKept(entry: FileEntry): entry is Entry | (FileEntry & { readonly dir: "spawn" }) {
  if (entry.dir !== "out") return entry.dir === "spawn" || PLAYED.has(entry.dir);
  const fields = fieldsOf(entry.msg);
  return entry.msg !== END_OF_INPUT && !LEFT_OUT.some((mark) => mark in fields);
}

const PLAYED: ReadonlySet<string> = new Set(
  ConversationEntry.options.map(({ shape }) => shape.dir.value),
);

function parseEntry(content: string, line: number): z.infer<typeof FileEntry> {
  const entry = FileEntry.safeParse(parseJson(content, line));
  if (entry.success) return entry.data;
  throw new Error(`conversation line ${line}: ${describe(entry.error)}`);
}

function parseJson(content: string, line: number): unknown {
  try {
    const value: unknown = JSON.parse(content);
    return content.includes('"$repeat"') ? expandRepeats(value) : value;
  } catch (cause) {
    throw new Error(`conversation line ${line}: not JSON: ${content.slice(0, 60)}`, { cause });
  }
}

/** `value` with every repetition written out, at any depth. Throws for a repetition in another form. */
export function expandRepeats(value: unknown): unknown {
  if (Array.isArray(value)) return value.flatMap(expandElement);
  if (!isJsonObject(value)) return value;
  if ("$repeat" in value) {
    const { texts, join = "" } = readRepeat(value);
    return texts.join(join);
  }
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([key, inner]) => [key, expandRepeats(inner)]));
}

function expandElement(element: unknown): unknown[] {
  if (!isJsonObject(element) || !("$repeat" in element) || "join" in element)
    return [expandRepeats(element)];
  return readRepeat(element).texts;
}

function readRepeat(value: unknown) {
  const { $repeat, count, join } = Repeat.parse(value);
  const texts = Array.from({ length: count }, (_, index) =>
    $repeat.replaceAll("{n}", String(index + 1)),
  );
  return { texts, join };
}

function describe(error: z.ZodError): string {
  return error.issues
    .map((issue) => `${issue.path.length === 0 ? "entry" : issue.path.join(".")}: ${issue.message}`)
    .join("; ");
}
