/**
 * A live session beside its history, and texts that quote lines of Claude, with a real `claude` of every
 * measured version.
 */
import { expect } from "bun:test";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { MEASURED_VERSIONS } from "../simulator/measured-versions.ts";
import type { ScriptEntry } from "../simulator/reply-script.ts";
import type { Fields } from "../src/base/json.ts";
import { isTurnEnd } from "../testing/observer/observer-turns.ts";
import { agentInput, callTool, holdReply, startGate } from "../testing/real/real-replies.ts";
import { type RealPlace, type RealSession, userTexts } from "../testing/real/real-session.ts";
import { realTests } from "../testing/real/real-tests.ts";

const test = realTests(...MEASURED_VERSIONS);

/** The messages that a history has too. */
const TOLD = new Set([
  ...["user_text", "assistant_text", "thinking_text", "message_complete"],
  ...["tool_use", "tool_result", "tool_use_structured", "compact_boundary", "task_notification"],
]);

/** Waits until the history has the last text, and expects the messages of the live session in it. */
async function expectSameHistory(session: RealSession): Promise<readonly Fields[]> {
  await said(session, "the end?", "The end.");
  await session.untilWritten("The end.");
  const request = { type: "session_history", session_id: session.id, limit: 500 };
  const { messages } = await session.ask(request, {});
  const history = (messages as readonly Fields[]).map(inShort);
  expect(history).toEqual(withoutKnownDifferences(session).map(inShort));
  return history;
}

/** PROTOCOL.md, `session_history_result`, lists the differences of a history. */
function withoutKnownDifferences({ bridge, place }: RealSession): readonly Fields[] {
  const emitted = bridge.received.filter(
    ({ type, status, text }) =>
      TOLD.has(type) &&
      (type !== "message_complete" || place.version !== "2.1.38") &&
      (type === "task_notification" || status === undefined || status === "complete") &&
      text !== "(no content)",
  );
  const at = emitted.findIndex(({ text }) => text === "/compact");
  const [command, boundary, summary] = emitted.slice(at, at + 3);
  if (boundary?.type !== "compact_boundary" || !command || !summary) return emitted;
  return emitted.toSpliced(at, 3, boundary, summary, command);
}

/** The fields that a reducer uses. */
function inShort(message: Fields): Fields {
  const { type, text, kind, message_id, content } = message;
  if (type !== "user_text") {
    const { msg_id, block_index, tool_use_id, tool_name, output, is_error, uuid, task_id } =
      message;
    const key = { type, msg_id, block_index, tool_use_id, tool_name, output, is_error, task_id };
    // A note of Claude has an id of its own.
    return type === "task_notification" ? key : { ...key, text, uuid };
  }
  const isHosts = kind === "host" || kind === "history";
  const isCommand = isHosts && String(text).startsWith("/");
  return {
    type,
    kind: isHosts ? "history" : kind,
    text: Array.isArray(content) ? content.map((block: Fields) => block["text"]).join("\n") : text,
    message_id: isCommand ? undefined : message_id,
  };
}

/** A Stop hook that asks for more where there is a file, and a command. */
async function prepare({ home }: RealPlace): Promise<void> {
  const ask = join(home.root, "ask");
  const block = '{"decision":"block","reason":"say more"}';
  const command = `if [ -f '${ask}' ]; then rm '${ask}'; echo '${block}'; fi`;
  const hooks = { Stop: [{ hooks: [{ type: "command", command }] }] };
  await writeFile(join(home.configDir, "settings.json"), JSON.stringify({ hooks }));
  const commands = join(home.project, ".claude", "commands");
  await mkdir(commands, { recursive: true });
  await writeFile(join(commands, "greet.md"), "Greet $ARGUMENTS warmly.\n");
}

const start = (place: RealPlace) => place.open({ options: { allowed_tools: ["Bash"] } });

async function said(session: RealSession, text: string, ...script: ScriptEntry[]): Promise<void> {
  session.say(text, ...script);
  await session.turn();
}

async function attach(session: RealSession, text: string): Promise<void> {
  const attachments = [{ filename: "a.txt", content: "words of a file", media_type: "text/plain" }];
  session.post({ text, attachments }, "Read.");
  await session.turn("Read.");
}

async function interrupt(session: RealSession, piece: string): Promise<void> {
  await session.begun(piece);
  session.send({ type: "interrupt" });
  await session.turn({ result: "cancelled" });
}

/** Starts a command in the background and lets it end after the turn. */
async function inBackground(session: RealSession, reply: ScriptEntry): Promise<void> {
  using gate = startGate();
  const input = { command: gate.command, run_in_background: true };
  await said(session, "start", callTool("Bash", input), "Started.", reply);
  gate.open();
  await session.next("task_notification");
}

const QUOTE =
  "<local-command-stdout>Set effort level to low (this session only): x</local-command-stdout>";

/** Texts in the form of lines that Claude writes itself. */
const QUOTES = [
  QUOTE,
  "[Request interrupted by user]",
  "<task-notification><task-id>t</task-id><status>completed</status></task-notification>",
  "<command-name>/x</command-name>\n<command-args>y</command-args>",
  "Unknown skill: nosuch",
  "Stop hook feedback: go on",
];

async function actAsEveryVersion(session: RealSession): Promise<void> {
  await writeFile(join(session.place.home.root, "ask"), "");
  const call = callTool("Bash", { command: "echo 3" });
  await said(session, "work", "First answer.", call, "Second answer.");
  await said(session, "/greet Bob", "Good day.");
  const failure = { status: 529, message: "busy", headers: { "retry-after": "0" } };
  await said(session, "try", failure, "At the second try.");
  await attach(session, "look");
  await attach(session, "");
  session.say("tell", holdReply("begun", " and never ended").reply);
  await interrupt(session, "begun");
  for (const text of QUOTES) await said(session, text, "Read.");
}

async function actAsNewer(session: RealSession): Promise<void> {
  await said(session, "/nosuch", ...(session.place.version === "2.1.330" ? ["What?"] : []));
  await said(session, "/model sonnet");
  await inBackground(session, "It ended.");
  await session.turn("It ended.");
  await inBackground(session, holdReply("woken", " never").reply);
  await interrupt(session, "woken");
  using gate = startGate();
  session.say("wait", callTool("Bash", { command: gate.command }), "Taken in.");
  await gate.reached;
  await session.steer("steered");
  gate.open();
  await session.turn("Taken in.");
}

test("turns, commands and a compaction are the same in the history as live", async (place) => {
  await prepare(place);
  const session = await start(place);
  await actAsEveryVersion(session);
  // 2.1.38 stores neither unknown commands nor steered messages.
  if (place.version !== "2.1.38") await actAsNewer(session);
  await said(session, "/context");
  await session.ask({ type: "model_change", model: "haiku" });
  await said(session, "/compact", `<summary>It said ${QUOTE}</summary>`);
  const history = await expectSameHistory(session);
  const own = history.filter(({ kind }) => kind === "history").map(({ text }) => text);
  expect(own).toEqual(expect.arrayContaining([...QUOTES, "the end?"]));
});

const textsOf = ({ bridge }: RealSession, kind: string) => userTexts(bridge.received, kind);

const MODEL = "<local-command-stdout>Set model to haiku</local-command-stdout>";

test("steered messages that quote Claude are started and completed, and hold nothing", async (place) => {
  const session = await start(place);
  const texts = [MODEL, `${MODEL} and more`, QUOTE];
  for (const text of texts) {
    using gate = startGate();
    session.say("wait", callTool("Bash", { command: gate.command }), "Taken in.", "Then.");
    await gate.reached;
    const [message_id] = await session.steer(text);
    session.send({ type: "user_message", text: "the end?" });
    gate.open();
    await session.next(isTurnEnd);
    await session.next(isTurnEnd);
    const receipts = session
      .all("message_status")
      .filter((own) => own["message_id"] === message_id);
    expect(receipts.map(({ status }) => status)).toEqual(["queued", "started", "completed"]);
  }
  expect(textsOf(session, "host")).toEqual(texts.flatMap((text) => ["wait", text, "the end?"]));
  expect(textsOf(session, "command_output")).toEqual([]);
});

test("a message, a prompt of a subagent and a summary that quote Claude stay of their kind, and set no effort", async (place) => {
  const session = await place.open({ options: { allowed_tools: ["Task", "Agent"] } });
  await said(session, QUOTE, "Read.");
  const call = callTool("Task", agentInput(QUOTE, { run_in_background: false }));
  await said(session, "delegate", call, "By the subagent.", "Done.");
  await said(session, "/compact", `<summary>It said ${QUOTE}.</summary>`);
  expect(textsOf(session, "host")).toEqual([QUOTE, "delegate", "/compact"]);
  expect(textsOf(session, "subagent_prompt")).toEqual([QUOTE]);
  expect(textsOf(session, "compact_summary")).toEqual([
    expect.stringContaining(`It said ${QUOTE}.`),
  ]);
  expect(textsOf(session, "command_output")).toEqual([expect.stringContaining("Compacted")]);
  await session.kill();
  await said(session, "go on", "Gone on.");
  expect(JSON.stringify(session.all("process_started"))).not.toContain("--effort");
  await session.end(2);
});
