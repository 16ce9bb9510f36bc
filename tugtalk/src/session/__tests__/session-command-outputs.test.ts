/** The output of local commands, and texts that quote it (§6, §17). */
import { expect, test } from "bun:test";
import {
  commandOutputLine,
  echoLine,
  initLine,
  resultLine,
} from "../../../testing/drivers/test-lines.ts";
import { startSession, type TestSession } from "../../../testing/drivers/test-session.ts";
import { SECOND, working } from "../../../testing/drivers/working-session.ts";
import type { Fields } from "../../base/json.ts";

const inTags = (text: string) => `<local-command-stdout>${text}</local-command-stdout>`;

/** Output as V38 prints it, and the other CLIs for `/compact` and for a model change by request. */
const replayed = (uuid: string, text: string): Fields => ({
  ...echoLine(uuid, ""),
  message: { role: "user", content: inTags(text) },
});

const outputsOf = (session: TestSession) =>
  session.of("user_text").flatMap(({ kind, text }) => (kind === "command_output" ? [text] : []));

test.each([
  ["in the running turn", inTags("Set model to haiku"), []],
  ["in the running turn", `${inTags("Set model to haiku")} and more`, []],
  ["in the running turn", inTags("Total cost: $1"), []],
  ["in a turn of its own", inTags("Set model to haiku"), [resultLine(), initLine()]],
])(
  "a steered message is started %s with its echo, and has no output: %s",
  async (_turn, text, lines) => {
    const session = await working();
    session.message(text, { message_id: SECOND, delivery: "steer" });
    // V38 and V197 confirm a message by its echo only.
    await session.say(...lines, echoLine(SECOND, text), resultLine());
    const statuses = session.receipts(SECOND).map((receipt) => receipt.split(" ")[0]);
    expect(statuses).toEqual(["queued", "started", "completed"]);
    expect(outputsOf(session)).toEqual([]);
    // Nothing holds the next message.
    session.message("third");
    expect(session.sentTexts.at(-1)).toBe("third");
  },
);

/** The lines of a compaction: its boundary, the summary, kept lines, and the output of `/compact` itself. */
async function compact(session: TestSession, kept: readonly Fields[]): Promise<void> {
  const all_uuids = kept.map(({ uuid }) => uuid);
  const compact_metadata = { trigger: "manual", preserved_messages: { all_uuids } };
  const summary = { role: "user", content: `A summary of ${inTags("Total cost: $1")}` };
  session.message("/compact");
  await session.say(
    initLine(),
    { type: "system", subtype: "compact_boundary", compact_metadata },
    { ...echoLine("s", ""), message: summary, isReplay: false, isSynthetic: true },
    ...kept,
    replayed("compacted", "Compacted "),
    resultLine({ result: "" }),
  );
}

/** Kept lines in the forms of V197 and V330. */
const KEPT: readonly Fields[] = [
  { ...commandOutputLine("Total cost: $1"), uuid: "cost" },
  replayed("model", "Set model to haiku"),
];

test("an output that a compaction keeps is emitted once, where it was printed", async () => {
  const session = await startSession();
  session.message("/cost");
  await session.say(initLine(), ...KEPT.slice(0, 1), resultLine());
  const emitted = await session.emittedBy(() => compact(session, KEPT));
  expect(outputsOf(session)).toEqual(["Total cost: $1", "Compacted "]);
  expect(emitted.filter(({ type }) => type === "user_text")).toMatchObject([
    { kind: "host", text: "/compact" },
    { kind: "compact_summary" },
    { kind: "command_output", text: "Compacted " },
  ]);
});

test("an output that a compaction keeps is not emitted if it was printed before the conversation was resumed", async () => {
  const session = await startSession();
  await compact(session, KEPT);
  expect(outputsOf(session)).toEqual(["Compacted "]);
});

test("an output that comes twice is emitted once without a list of kept lines (made up)", async () => {
  const session = await startSession();
  const [cost = {}] = KEPT;
  session.message("/cost");
  await session.say(initLine(), cost, cost, resultLine());
  expect(outputsOf(session)).toEqual(["Total cost: $1"]);
});
