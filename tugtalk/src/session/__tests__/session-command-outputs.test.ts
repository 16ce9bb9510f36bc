/** The output of local commands, and texts that quote it (§6, §17). */
import { describe, expect, test } from "bun:test";
import {
  commandOutputLine,
  echoLine,
  initLine,
  resultLine,
} from "../../../testing/drivers/claude-lines.ts";
import {
  emittedBy,
  emittedOf,
  expectGuarantees,
  sayAsHost,
  writtenBy,
} from "../../../testing/drivers/emitted-messages.ts";
import { startSession, type TestSession } from "../../../testing/drivers/test-session.ts";
import { working } from "../../../testing/drivers/working-session.ts";

type Line = Readonly<Record<string, unknown>>;

const SECOND = "11111111-2222-4333-8444-000000000002";
const inTags = (text: string) => `<local-command-stdout>${text}</local-command-stdout>`;

/** Output as V38 prints it, and the other CLIs for `/compact` and for a model change by request. */
const replayed = (uuid: string, text: string): Line => ({
  ...echoLine(uuid, ""),
  message: { role: "user", content: inTags(text) },
});

const outputsOf = (session: TestSession) =>
  emittedOf(session, "user_text").flatMap(({ kind, text }) =>
    kind === "command_output" ? [text] : [],
  );

describe("a steered message that quotes output of a local command", () => {
  test.each([
    ["in the running turn", inTags("Set model to haiku"), []],
    ["in the running turn", `${inTags("Set model to haiku")} and more`, []],
    ["in the running turn", inTags("Total cost: $1"), []],
    ["in a turn of its own", inTags("Set model to haiku"), [resultLine(), initLine()]],
  ])("is started %s with its echo, and has no output: %s", async (_turn, text, lines) => {
    const session = await working();
    sayAsHost(session, text, { message_id: SECOND, delivery: "steer" });
    // V38 and V197 confirm a message by its echo only.
    for (const line of [...lines, echoLine(SECOND, text), resultLine()])
      await session.claude().say(line);
    const receipts = emittedOf(session, "message_status")
      .filter(({ message_id }) => message_id === SECOND)
      .map(({ status }) => status);
    expect(receipts).toEqual(["queued", "started", "completed"]);
    expect(outputsOf(session)).toEqual([]);
    // Nothing holds the next message.
    const written = await writtenBy(session, () => sayAsHost(session, "third"));
    expect(written).toMatchObject([{ message: { content: [{ text: "third" }] } }]);
    expectGuarantees(session);
  });
});

/** What a compaction prints: its boundary, the summary, kept lines, and the output of `/compact` itself. */
async function compact(session: TestSession, kept: readonly Line[]): Promise<void> {
  const all_uuids = kept.map(({ uuid }) => uuid);
  const compact_metadata = { trigger: "manual", preserved_messages: { all_uuids } };
  const summary = { role: "user", content: `A summary of ${inTags("Total cost: $1")}` };
  sayAsHost(session, "/compact");
  for (const line of [
    initLine(),
    { type: "system", subtype: "compact_boundary", compact_metadata },
    { ...echoLine("s", ""), message: summary, isReplay: false, isSynthetic: true },
    ...kept,
    replayed("compacted", "Compacted "),
    resultLine({ result: "" }),
  ])
    await session.claude().say(line);
}

/** Kept lines in the forms of V197 and V330. */
const KEPT: readonly Line[] = [
  { ...commandOutputLine("Total cost: $1"), uuid: "cost" },
  replayed("model", "Set model to haiku"),
];

describe("output that a compaction keeps", () => {
  test("is emitted once, where it was printed", async () => {
    const session = await startSession();
    sayAsHost(session, "/cost");
    for (const line of [initLine(), ...KEPT.slice(0, 1), resultLine()])
      await session.claude().say(line);
    const emitted = await emittedBy(session, () => compact(session, KEPT));
    expect(outputsOf(session)).toEqual(["Total cost: $1", "Compacted "]);
    expect(emitted.filter(({ type }) => type === "user_text")).toMatchObject([
      { kind: "host", text: "/compact" },
      { kind: "compact_summary" },
      { kind: "command_output", text: "Compacted " },
    ]);
    expectGuarantees(session);
  });

  test("is not emitted if it was printed before the conversation was resumed", async () => {
    const session = await startSession();
    await compact(session, KEPT);
    expect(outputsOf(session)).toEqual(["Compacted "]);
  });

  test("is emitted once without a list of what is kept (made up)", async () => {
    const session = await startSession();
    const [cost = {}] = KEPT;
    sayAsHost(session, "/cost");
    for (const line of [initLine(), cost, cost, resultLine()]) await session.claude().say(line);
    expect(outputsOf(session)).toEqual(["Total cost: $1"]);
  });
});
