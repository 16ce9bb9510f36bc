import { expect, test } from "bun:test";
import type {
  BlockItem,
  ToolItem,
  TranscriptItem,
  Turn,
} from "../../../client/transcript-models.ts";
import { Finder } from "../find-hits.ts";

function text(key: string, words: string): BlockItem {
  return { kind: "text", key, msgId: key, blockIndex: 0, text: words, status: "complete" };
}

function call(key: string, more: Partial<ToolItem> = {}): ToolItem {
  return { kind: "tool", key, toolUseId: key, name: "Bash", status: "done", ...more };
}

function turn(items: readonly TranscriptItem[], agents: Turn["agents"] = {}): Turn {
  const ids = { key: "t", turnId: "t", trigger: "user", messageIds: [] } as const;
  return { kind: "turn", ...ids, status: "success", items, agents };
}

test("each occurrence in a text is a hit, without regard to case", () => {
  const hits = new Finder("bird").hitsIn(turn([text("a", "Bird, bird"), text("b", "none")]));
  expect(hits).toEqual([
    { entryKey: "t", path: ["a"], nth: 0 },
    { entryKey: "t", path: ["a"], nth: 1 },
  ]);
});

test("the query is a text and not a pattern, and is found across marks of Markdown", () => {
  const entry = turn([text("a", "f(x) + [y]. The **peli**can.")]);
  expect(new Finder("f(x) + [y].").hitsIn(entry).length).toBe(1);
  expect(new Finder("pelican").hitsIn(entry).length).toBe(1);
  expect(new Finder(".*").hitsIn(entry)).toEqual([]);
});

test("a call is one hit, by its input or its output", () => {
  const input = { command: "cat a-file", nested: { list: ["a-file"] } };
  const result = { output: "a-file has it", isError: false };
  const entry = turn([call("c", { input, result })]);
  for (const query of ["a-file", "has it", "Bash"])
    expect(new Finder(query).hitsIn(entry)).toEqual([{ entryKey: "t", path: ["c"], nth: 0 }]);
});

test("a hit in an agent names the calls that it is in, and an agent in itself ends", () => {
  const agents = { outer: [call("inner")], inner: [text("deep", "found"), call("inner")] };
  expect(new Finder("found").hitsIn(turn([call("outer")], agents))).toEqual([
    { entryKey: "t", path: ["outer", "inner", "deep"], nth: 0 },
  ]);
});

test("the hits of an entry that has not changed are not looked for again", () => {
  const finder = new Finder("bird");
  const entry = turn([text("a", "bird")]);
  expect(finder.hitsIn(entry)).toBe(finder.hitsIn(entry));
});
