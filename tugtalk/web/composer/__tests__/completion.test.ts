/** The words that are completed, their completions, and how one is put into the text. */
import { describe, expect, test } from "bun:test";
import { commandChoices, fileChoices, triggerAt, withChoice } from "../completion.ts";

/** The caret is where `|` is. */
function trigger(marked: string) {
  return triggerAt(marked.replace("|", ""), marked.indexOf("|"));
}

describe("a completion", () => {
  test.each([
    ["/|", "command", "", 0],
    ["/comp|act now", "command", "comp", 0],
    ["@|", "file", "", 0],
    ["see @src/gr|", "file", "src/gr", 4],
    ["one\n@a|", "file", "a", 4],
    ['see @"two wo|', "file", "two wo", 4],
  ] as const)("is offered for %p", (marked, kind, query, start) => {
    expect(trigger(marked)).toMatchObject({ kind, query, start, end: marked.indexOf("|") });
  });

  test.each(["|", "|/", "a /|", " /|", "/compact |", "me@home|", "@a |", 'see @"two words" |'])(
    "is not offered for %p",
    (marked) => {
      expect(trigger(marked)).toBeUndefined();
    },
  );
});

function command(
  name: string,
  more: { readonly aliases?: string[]; readonly description?: string },
) {
  const { aliases = [], description } = more;
  return { name, category: "local" as const, description, argumentHint: undefined, aliases };
}

const COMMANDS = [
  command("clear", { aliases: ["reset"], description: "Start anew" }),
  command("compact", { description: "Make room" }),
  command("review:compact", {}),
  command("usage", { description: "What is spent, and how to compact" }),
];

test("commands are those that begin so, then by alias, then those that have it anywhere", () => {
  const labels = (query: string) => commandChoices(COMMANDS, query).map(({ label }) => label);
  expect(labels("comp")).toEqual(["/compact", "/review:compact", "/usage"]);
  expect(labels("RES")).toEqual(["/clear"]);
  expect(labels("")).toHaveLength(4);
  expect(labels("nothing")).toEqual([]);
});

test("a command shows its arguments and aliases beside its name", () => {
  const entry = { ...command("clear", { aliases: ["reset", "new"] }), argumentHint: "[name]" };
  expect(commandChoices([entry], "")).toEqual([
    {
      label: "/clear",
      insert: "/clear ",
      hint: "[name] · /reset, /new",
      detail: undefined,
      category: "local",
    },
  ]);
});

test("a file ends the word, and a folder goes on", () => {
  const inserted = fileChoices([
    { path: "a.ts", kind: "file" },
    { path: "src", kind: "folder" },
    { path: "two words.md", kind: "file" },
    { path: "my docs", kind: "folder" },
  ]).map(({ insert }) => insert);
  expect(inserted).toEqual(["@a.ts ", "@src/", '@"two words.md" ', '@"my docs/']);
});

test("a choice takes the place of the typed word, with one space after it", () => {
  const put = (marked: string, insert: string) => {
    const text = marked.replace("|", "");
    const found = triggerAt(text, marked.indexOf("|"));
    if (found === undefined) throw new Error("nothing is completed");
    const { text: joined, caret } = withChoice(text, found, { label: "", insert });
    return `${joined.slice(0, caret)}|${joined.slice(caret)}`;
  };
  expect(put("see @sr|", "@src/")).toBe("see @src/|");
  expect(put("see @a| and more", "@a.ts ")).toBe("see @a.ts |and more");
  expect(put("/com|", "/compact ")).toBe("/compact |");
});
