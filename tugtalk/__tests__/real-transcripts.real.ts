/** Copies of the conversations of a real `claude`, and conversations that go on from a copy alone. */
import { expect } from "bun:test";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Glob } from "bun";
import { MEASURED_VERSIONS } from "../simulator/measured-versions.ts";
import type { Fields } from "../src/base/json.ts";
import type { Received } from "../testing/drivers/bridge-process.ts";
import { leftAfter } from "../testing/drivers/processes.ts";
import { agentInput, as, callTool } from "../testing/real/real-replies.ts";
import { conversationSent } from "../testing/real/real-requests.ts";
import { openRealPlace, type RealPlace, type RealSession } from "../testing/real/real-session.ts";
import { realTests } from "../testing/real/real-tests.ts";

const test = realTests(...MEASURED_VERSIONS);

const OPTIONS = { transcript_mirror: true, allowed_tools: ["Bash(echo:*)", "Bash(sleep:*)"] };

/** The end of the turn, when the copy has it. */
async function copied(session: RealSession, turn?: object): Promise<Received> {
  const { end } = await session.turn(turn);
  return session.next(({ through_turn_id }) => through_turn_id === end["turn_id"]);
}

async function said(session: RealSession, text: string, reply: string): Promise<void> {
  session.say(text, reply);
  await copied(session, { text: reply });
}

/** A conversation with a tool, an agent and a compaction. */
async function talk(session: RealSession): Promise<void> {
  const { subagentTool } = session.place.expected;
  session.say("one", callTool("Bash", { command: "echo noted", description: "note" }), "First.");
  await copied(session, { text: "First." });
  const call = callTool(subagentTool, agentInput("look", { run_in_background: false }));
  session.say("delegate", call, as("look", "A heron."), "Delegated.");
  await copied(session, { text: "Delegated." });
  // 2.1.197 compacts nothing shorter.
  for (const text of ["a heron at the weir", "an otter at the mill"])
    await said(session, text, "Seen.");
  session.say("/compact", "<summary>Somebody saw an animal.</summary>");
  await session.turn();
  // 2.1.38 dates a line of the compaction 100 ms ahead, and resumes at the line with the newest date.
  const rest = callTool("Bash", { command: "sleep 0.3", description: "rest" });
  session.say("two", rest, "Second.");
  await copied(session, { text: "Second." });
}

type Copies = readonly {
  readonly file: string;
  readonly offset: number;
  readonly lines: string[];
}[];

/** The host's copy of a conversation, as it was sent. */
function copiesOf(received: readonly Received[], session_id: string): Copies {
  return received.flatMap(({ type, session_id: of, file, offset, lines }) =>
    type === "transcript_lines" && of === session_id
      ? [{ file: String(file), offset: Number(offset), lines: lines as string[] }]
      : [],
  );
}

/** Each file of the conversation that Claude has written, with its text. */
async function filesOn(place: RealPlace, session_id: string): Promise<Record<string, string>> {
  const projects = join(place.home.configDir, "projects");
  const [main = ""] = [...new Glob(`*/${session_id}.jsonl`).scanSync(projects)];
  const folder = join(projects, dirname(main));
  const agents = [...new Glob(`${session_id}/subagents/**`).scanSync(folder)];
  const files = [`${session_id}.jsonl`, ...agents].sort();
  const texts = files.map(async (file) => [file, await readFile(join(folder, file), "utf8")]);
  return Object.fromEntries(await Promise.all(texts));
}

/** Gives a copy to a silent bridge at another place, in parts; resolves to the answer of the last or of a refused one. */
async function restore(to: RealSession, session_id: string, copies: Copies): Promise<Received> {
  const dir = to.place.home.project;
  const request = { type: "transcript_restore", session_id, dir, claude_version: to.place.version };
  for (const [at, copy] of copies.entries()) {
    const more = at + 1 < copies.length;
    const answer = await to.ask({ ...request, part: at + 1, more, files: [copy] }, {});
    if (!more || answer["ok"] !== true) return answer;
  }
  throw new Error("nothing was copied");
}

/** A silent bridge under another home and folder, where the copy is the conversation. */
async function restored(place: RealPlace, session_id: string, copies: Copies) {
  const session = place.startSilent([`--dir=${place.home.project}`]);
  expect(await restore(session, session_id, copies)).toMatchObject({ ok: true, is_written: true });
  return session;
}

/** Goes on with a conversation that was restored. */
async function goOn(session: RealSession, session_id: string): Promise<void> {
  session.send({ type: "protocol_init", version: 2, session: { mode: "resume", session_id } });
  await session.next("session_init", { session_id, mode: "resume" });
}

const historyOf = async (session: RealSession, session_id: string) => {
  const request = { type: "session_history", session_id, limit: 500 };
  const { messages } = await session.ask(request, { skipped_lines: 0 });
  return messages as readonly Fields[];
};

test("a conversation with a tool, an agent and a compaction, and its fork, go on elsewhere from their copies alone", async (place) => {
  const session = await place.open({ options: OPTIONS });
  const { id } = session;
  await talk(session);
  const sent = new Map([[id, conversationSent(place.api)]]);
  await session.command("fork", {}, { mode: "fork" });
  const fork = session.id;
  await said(session, "three", "Third.");
  sent.set(fork, conversationSent(place.api));
  const answers = new Map([
    [id, "assistant: Second."],
    [fork, "assistant: Third."],
  ]);
  const histories = new Map([
    [id, await historyOf(session, id)],
    [fork, await historyOf(session, fork)],
  ]);
  await session.end(2);
  expect(session.all("transcript_failed")).toEqual([]);

  for (const of of [id, fork]) {
    const copies = copiesOf(session.bridge.received, of);
    const written = await filesOn(place, of);
    await using other = await openRealPlace(place.version);
    const again = await restored(other, of, copies);
    expect(await filesOn(other, of)).toEqual(written);
    await goOn(again, of);
    expect(await historyOf(again, of)).toEqual([...(histories.get(of) ?? [])]);
    await again.exchange("and on?", "On.");
    const before = [...(sent.get(of) ?? []), String(answers.get(of))];
    expect(conversationSent(other.api)).toEqual([...before, "user: and on?"]);
    await again.end();
  }
});

/** A conversation whose bridge is killed during the messages of the second turn. */
async function killed(place: RealPlace) {
  const session = await place.open({ options: OPTIONS });
  const { id, processes } = session;
  await said(session, "one", "First.");
  session.say("two", "Second.");
  await session.turn("Second.");
  session.bridge.kill();
  await session.bridge.exited;
  session.isOver = true;
  expect(await leftAfter(processes, 20_000)).toEqual([]);
  return { id, copies: copiesOf(session.bridge.received, id) };
}

test("of a bridge that is killed the host has all but the turn that was not confirmed", async (place) => {
  const { id, copies } = await killed(place);
  await using other = await openRealPlace(place.version);
  const again = await restored(other, id, copies);
  await goOn(again, id);
  const texts = textsOf(await historyOf(again, id));
  expect(texts.slice(0, 2)).toEqual(["one", "First."]);
  expect(["one", "First.", "two", "Second."]).toEqual(expect.arrayContaining(texts));
  await again.end();
});

test("a bridge after a killed bridge sends the rest", async (place) => {
  const { id, copies } = await killed(place);
  const choice = { options: OPTIONS, session: { mode: "resume", session_id: id } };
  const later = await place.open(choice, { session_id: id });
  await said(later, "three", "Third.");
  const whole = await historyOf(later, id);
  await later.end();
  await using other = await openRealPlace(place.version);
  const rest = copiesOf(later.bridge.received, id);
  const again = await restored(other, id, [...copies, ...rest]);
  await goOn(again, id);
  expect(await historyOf(again, id)).toEqual(whole);
  await again.end();
});

const textsOf = (messages: readonly Fields[]) =>
  messages.flatMap(({ type, text }) => (String(type).endsWith("_text") ? [text] : []));

test("a damaged or foreign copy is refused, and nothing is written", async (place) => {
  const session = await place.open({ options: OPTIONS });
  const { id } = session;
  await said(session, "one", "First.");
  await said(session, "two", "Second.");
  await session.end();
  const copies = copiesOf(session.bridge.received, id);
  const [first, ...others] = copies;
  if (first === undefined) throw new Error("nothing was copied");
  const cut = first.lines.map((line, at) => (at === 0 ? line.slice(0, -9) : line));
  const another = crypto.randomUUID();
  const sets: readonly (readonly [reason: string, copies: Copies, as?: string])[] = [
    ["bad_line", [{ ...first, lines: cut }, ...others]],
    ["gap", others],
    ["foreign", [{ ...first, file: `${another}.jsonl` }], another],
    ["bad_name", [...copies, { file: "../x.jsonl", offset: 0, lines: [] }]],
  ];
  await using other = await openRealPlace(place.version);
  const bridge = other.startSilent();
  for (const [reason, set, of = id] of sets) {
    const refused = { ok: false, is_written: false, reason };
    expect(await restore(bridge, of, set)).toMatchObject(refused);
  }
  const projects = join(other.home.configDir, "projects");
  const left = await readdir(projects, { recursive: true, withFileTypes: true });
  expect(left.filter((entry) => !entry.isDirectory())).toEqual([]);
  await bridge.end(0);
});
