/**
 * Loads of a session whose turn goes on, in process: messages of the transcript are not sent again, and no
 * message is lost.
 */
import { expect, test } from "bun:test";
import {
  blockStart,
  messageStart,
  textBlock,
  textDelta,
  textStart,
} from "../../simulator/stream-events.ts";
import { AcpHarness } from "../../testing/acp/acp-harness.ts";
import { execute } from "../../testing/acp/random-client.ts";
import {
  assistantLine,
  eventLine,
  initLine,
  resultLine,
} from "../../testing/drivers/test-lines.ts";
import { compactionLines } from "../../testing/model/model-lines.ts";
import { type Fields, fieldsOf } from "../../testing/observer/observed.ts";

/** A session with an open prompt. */
async function start() {
  const harness = new AcpHarness();
  for (const does of ["begin", "work"] as const)
    await execute(harness, { does, session: 0, pick: 0 });
  const [sessionId] = harness.sessions;
  harness.request("session/prompt", { sessionId, prompt: [{ type: "text", text: "hello" }] });
  await harness.settle();
  const print = async (...lines: readonly Fields[]) => {
    for (const process of harness.alive)
      await harness.print(
        process,
        lines.map((line) => ({ ...line, session_id: sessionId })),
      );
  };
  await print(initLine());
  const load = () =>
    harness.request("session/load", { sessionId, cwd: "/work/project", mcpServers: [] });
  return { harness, print, load };
}

/** The view of the client: the updates since its last load and the answers before that. */
function shown(harness: AcpHarness, load: string): Fields[] {
  const { passages } = harness.client;
  const before = passages.findLastIndex(({ from, frame: { id, method } }) =>
    from === "client" ? id === load : method === undefined && id !== load,
  );
  return updatesFrom(harness, before + 1);
}

function updatesFrom({ client: { passages } }: AcpHarness, place: number): Fields[] {
  return passages.slice(place).map(({ frame }) => fieldsOf(fieldsOf(frame["params"])["update"]));
}

test("the second of two blocks with the same text is sent, also when a load comes in the middle of it", async () => {
  const { harness, print, load } = await start();
  const block = assistantLine("m", textBlock("the same"));
  const stream = (index: number) => [textStart(index), textDelta("the ", index)].map(eventLine);
  await print(eventLine(messageStart("m")), ...stream(0), block, ...stream(1));
  const loaded = load();
  await harness.settle();
  await print(eventLine(textDelta("same", 1)), block, eventLine(blockStart(2, textBlock(""))));
  const texts = shown(harness, loaded).flatMap(({ content }) => fieldsOf(content)["text"] ?? []);
  expect(texts).toEqual(["the same", "the same"]);
});

/** The compactions in some updates, each with its states. */
function compactions(updates: readonly Fields[]): string[] {
  return updates.flatMap(({ toolCallId, status }) =>
    String(toolCallId).startsWith("compaction") ? `${toolCallId} ${status}` : [],
  );
}

test("a compaction that waits behind a load whose transcript has it is sent once", async () => {
  const { harness, print, load } = await start();
  harness.client.stopReading();
  load();
  await harness.settle();
  // The first of these is read, and the others wait in Claude's pipe.
  await print(assistantLine("m", textBlock("a text")), ...compactionLines("1"));
  const loaded = load();
  harness.client.resumeReading();
  await harness.settle();
  await print(...compactionLines("2"));
  expect(compactions(shown(harness, loaded))).toEqual([
    "compaction-1 in_progress",
    "compaction-1 completed",
    "compaction-2 in_progress",
    "compaction-2 completed",
  ]);
});

test("a compaction under way whose end a load has is over", async () => {
  const { harness, print, load } = await start();
  const [beginning = {}, ...end] = compactionLines("1");
  await print(beginning);
  harness.client.stopReading();
  load();
  await harness.settle();
  await print(assistantLine("m", textBlock("a text")), ...end);
  const loaded = load();
  harness.client.resumeReading();
  await harness.settle();
  const sent = () => compactions(shown(harness, loaded));
  expect(sent()).toEqual(["compaction-1 in_progress", "compaction-1 completed"]);
  for (const process of harness.alive) harness.exit(process);
  await harness.settle();
  const all = compactions(updatesFrom(harness, 0));
  expect(all.filter((one) => one.endsWith("failed"))).toEqual([]);
});

/** A session that is loaded while a compaction is under way, and the compactions that the client has since then. */
async function loadInCompaction() {
  const { harness, print, load } = await start();
  const [beginning = {}, ...end] = compactionLines("1");
  await print(beginning);
  const place = harness.client.passages.length;
  load();
  await harness.settle();
  return { harness, print, load, end, since: () => compactions(updatesFrom(harness, place)) };
}

test.each([
  ["under way at the load", true],
  ["that begins after it", false],
] as const)(
  "where a session with an old compaction was resumed, a compaction %s is told",
  async (_name, isUnderWay) => {
    const { harness, print, load } = await start();
    await print(...compactionLines("1"), resultLine());
    const [sessionId] = harness.sessions;
    const place = { sessionId, cwd: "/work/project", mcpServers: [] };
    harness.request("session/close", place);
    await harness.settle();
    harness.request("session/resume", place);
    await harness.settle();
    await execute(harness, { does: "work", session: 0, pick: 0 });
    harness.request("session/prompt", { sessionId, prompt: [{ type: "text", text: "go on" }] });
    await harness.settle();
    await print(initLine(), assistantLine("n", textBlock("a text")));
    const [beginning = {}, ...end] = compactionLines("2");
    if (isUnderWay) await print(beginning);
    const sent = harness.client.passages.length;
    const since = () => compactions(updatesFrom(harness, sent));
    load();
    await harness.settle();
    if (!isUnderWay) await print(beginning);
    const past = ["compaction-1 in_progress", "compaction-1 completed"];
    expect(since()).toEqual([...past, "compaction-2 in_progress"]);
    await print(...end);
    expect(since()).toEqual([...past, "compaction-2 in_progress", "compaction-2 completed"]);
  },
);

test("a compaction after a resume has an id that the client does not have from before", async () => {
  const { harness, print } = await start();
  await print(...compactionLines("1"), resultLine());
  const [sessionId] = harness.sessions;
  const place = { sessionId, cwd: "/work/project", mcpServers: [] };
  for (const method of ["session/close", "session/resume"]) {
    harness.request(method, place);
    await harness.settle();
  }
  await execute(harness, { does: "work", session: 0, pick: 0 });
  harness.request("session/prompt", { sessionId, prompt: [{ type: "text", text: "go on" }] });
  await harness.settle();
  await print(initLine(), ...compactionLines("2"));
  const ended = compactions(updatesFrom(harness, 0)).filter((one) => one.endsWith("completed"));
  expect(ended).toHaveLength(2);
  expect(new Set(ended).size).toBe(2);
});

test("a load while a compaction runs has the prompt before it, which Claude writes when that is over", async () => {
  const { harness, end, print, load } = await loadInCompaction();
  const prompts = (loaded: string) =>
    shown(harness, loaded).flatMap(({ sessionUpdate, content, toolCallId, status }) => {
      if (sessionUpdate === "user_message_chunk") return [fieldsOf(content)["text"]];
      return toolCallId === "compaction-1" ? [status] : [];
    });
  const during = load();
  await harness.settle();
  expect(prompts(during)).toEqual(["hello", "in_progress"]);
  await print(...end);
  expect(prompts(during)).toEqual(["hello", "in_progress", "completed"]);
});

test("a load sends the compaction under way, and its end has the same id", async () => {
  const { print, end, since } = await loadInCompaction();
  expect(since()).toEqual(["compaction-1 in_progress"]);
  await print(...end);
  expect(since()).toEqual(["compaction-1 in_progress", "compaction-1 completed"]);
});

test("a compaction under way at a load fails when Claude dies", async () => {
  const { harness, since } = await loadInCompaction();
  for (const process of harness.alive) harness.exit(process);
  await harness.settle();
  expect(since()).toEqual(["compaction-1 in_progress", "compaction-1 failed"]);
});

test("a load of a copy in its first turn has the messages of the copy", async () => {
  const { harness, print } = await start();
  await print(assistantLine("m", textBlock("in the source")));
  const [sessionId] = harness.sessions;
  const place = { cwd: "/work/project", mcpServers: [] };
  harness.request("session/fork", { sessionId, ...place });
  await harness.settle();
  await execute(harness, { does: "work", session: 1, pick: 0 });
  const [, copy] = harness.alive;
  if (copy === undefined) throw new Error("no copy");
  const line = assistantLine("n", textBlock("in the copy"));
  const of = { session_id: copy.model.conversation };
  await harness.print(copy, [
    { ...initLine(), ...of },
    { ...line, ...of },
  ]);
  const first = harness.client.passages.length;
  harness.request("session/load", { sessionId: harness.sessions[1], ...place });
  await harness.settle();
  const texts = updatesFrom(harness, first).map(({ content }) => fieldsOf(content)["text"]);
  expect(texts.filter(Boolean)).toEqual(["in the source", "in the copy"]);
});
