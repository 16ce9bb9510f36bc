import { expect, test } from "bun:test";
import { shownItems } from "../../../client/agent-items.ts";
import type { ToolItem, TranscriptItem } from "../../../client/transcript-models.ts";
import { rowsOf } from "../rows.ts";
import { questionOf } from "../turn-end.ts";
import { TURN, textItem } from "./support/sample-turn.ts";

function tool(key: string, more: Partial<ToolItem> = {}): ToolItem {
  return { kind: "tool", key, toolUseId: key, name: "Read", status: "done", ...more };
}

const TEXT = textItem("so");

const keysOf = (items: readonly TranscriptItem[]) => rowsOf(items).map(({ key }) => key);

test("consecutive reads are one row, and a single one stays a call", () => {
  expect(keysOf([tool("a"), tool("b"), TEXT, tool("c")])).toEqual(["reads:a", "m:0", "c"]);
});

test("a read that was asked about, failed or was denied stands alone", () => {
  const asked = tool("b", { permission: { requestId: "r", outcome: "allow" } });
  expect(keysOf([tool("a"), asked, tool("c", { status: "failed" }), tool("d")])).toEqual([
    ...["a", "b", "c", "d"],
  ]);
});

test("all calls that keep the list of tasks are one row, at the place of the first", () => {
  const task = (key: string, name: string, more: Partial<ToolItem> = {}) =>
    tool(key, { name, ...more });
  const items = [TEXT, task("a", "TaskCreate"), tool("b"), task("c", "TaskUpdate"), tool("d")];
  expect(keysOf(items)).toEqual(["m:0", "tasks:a", "reads:b"]);
  expect(keysOf([...items, task("e", "TaskGet", { status: "failed" })]).at(-1)).toBe("e");
});

test("a row of reads is the same object until one of its calls changes", () => {
  const [one, two] = [tool("a"), tool("b")];
  const [before] = rowsOf([one, two]);
  expect(rowsOf([one, two, TEXT])[0]).toBe(before);
  expect(rowsOf([one, { ...two, status: "running" }])[0]).not.toBe(before);
});

test("an agent whose call is in an earlier entry gets a call here, and others do not", () => {
  const items = [tool("here", { name: "Agent" })];
  const agents = { here: [tool("nested", { name: "Agent" })], nested: [TEXT], elsewhere: [TEXT] };
  expect(shownItems({ ...TURN, items, agents }).map(({ key }) => key)).toEqual([
    "here",
    "elsewhere",
  ]);
});

test("the items of an entry without agents are its own list", () => {
  const items = [TEXT];
  expect(shownItems({ ...TURN, items })).toBe(items);
});

test("the question of a turn is the message of a person in it, not a text that Claude has added", () => {
  const synthetic = { kind: "user", key: "s", text: "injected", source: "synthetic" } as const;
  const asked = { kind: "user", key: "u", text: "Why?", source: "host" } as const;
  expect(questionOf({ ...TURN, items: [synthetic, asked] })).toBe("Why?");
  expect(questionOf({ ...TURN, items: [synthetic] })).toBeUndefined();
});
