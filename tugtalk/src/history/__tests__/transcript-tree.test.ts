/** The lines of the current conversation in a transcript, and their order. */

import { expect, test } from "bun:test";
import { answered, said } from "../../../testing/drivers/past-sessions.ts";
import type { Fields } from "../../base/json.ts";
import { parseTranscriptLine } from "../transcript-line.ts";
import { buildMessages } from "../transcript-page.ts";
import { TranscriptTree } from "../transcript-tree.ts";

function messagesOf(lines: readonly Fields[]): readonly Fields[] {
  const tree = new TranscriptTree();
  const parsed = lines.map((line) => parseTranscriptLine(Buffer.from(JSON.stringify(line))));
  parsed.forEach((line, number) => {
    if (typeof line === "object") tree.add(line, { number, bytes: 0 });
  });
  const ordered = tree.conversation().map(({ number }) => parsed[number]);
  return buildMessages(
    ordered.filter((line) => typeof line === "object"),
    new Map(),
  );
}

/** The texts, or outputs, or types. */
function textsOf(lines: readonly Fields[]): unknown[] {
  return messagesOf(lines).map(({ type, text, output }) => text ?? output ?? type);
}

test("an abandoned branch is left out", () => {
  const lines = [
    said("a", null, "one"),
    answered("b", "a", "two"),
    said("c", "b", "left"),
    answered("d", "c", "left too"),
    said("e", "b", "three"),
    answered("f", "e", "four"),
  ];
  expect(textsOf(lines)).toEqual(["one", "two", "three", "four"]);
});

test("a line that is written before its parent comes after it", () => {
  const lines = [said("a", null, "one"), answered("c", "b", "three"), answered("b", "a", "two")];
  expect(textsOf(lines)).toEqual(["one", "two", "three"]);
});

test("all results of parallel tools are included when the branch passes through any one of them", () => {
  const call = (id: string) => ({ type: "tool_use", id, name: "Bash", input: {} });
  const result = (uuid: string, parent: string, id: string) => ({
    ...said(uuid, parent, ""),
    message: { content: [{ type: "tool_result", tool_use_id: id, content: `of ${id}` }] },
  });
  const lines = [
    said("a", null, "go"),
    answered("b", "a", call("t1"), "m"),
    answered("c", "b", call("t2"), "m"),
    result("d", "c", "t2"),
    result("e", "b", "t1"),
    answered("f", "e", "done"),
  ];
  expect(textsOf(lines)).toEqual(["go", "tool_use", "tool_use", "of t2", "of t1", "done"]);
  const messages = messagesOf(lines);
  expect(messages.map(({ block_index }) => block_index)).toEqual([
    undefined,
    0,
    1,
    undefined,
    undefined,
    0,
  ]);
  expect(messages[3]).toMatchObject({ tool_name: "Bash" });
});

/** The lines that 2.1.197 wrote after a 529, shortened. */
test("an answer after a failed request is included, though the conversation continues from the note on the failure", () => {
  const lines = [
    said("a", null, "one"),
    answered("b", "a", "answered at the second try"),
    { type: "system", subtype: "api_error", uuid: "c", parentUuid: "a" },
    said("d", "c", "two"),
    answered("e", "d", "second answer"),
  ];
  expect(textsOf(lines)).toEqual(["one", "answered at the second try", "two", "second answer"]);
});

test("lines whose parents form a cycle are all included", () => {
  const lines = [answered("a", "b", "one"), answered("b", "a", "two"), said("c", "b", "three")];
  expect(textsOf(lines).toSorted()).toEqual(["one", "three", "two"]);
});

test("a line whose parent is missing follows the line written before it", () => {
  const lines = [said("a", null, "one"), answered("b", "a", "two"), said("d", "lost", "three")];
  expect(textsOf(lines)).toEqual(["one", "two", "three"]);
});

test("a line that is written twice is included once, at its first position", () => {
  const lines = [
    said("a", null, "one"),
    answered("b", "a", "two"),
    answered("b", "a", "two"),
    said("c", "b", "three"),
  ];
  expect(textsOf(lines)).toEqual(["one", "two", "three"]);
});
