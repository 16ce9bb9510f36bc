import { describe, expect, test } from "bun:test";
import type { TranscriptItem } from "../../../client/transcript-models.ts";
import { markdownEntry, markdownHead } from "../markdown.ts";
import { INFO, said, turnWith } from "./support/transcripts.ts";

function textOf(item: TranscriptItem): string {
  const text = markdownEntry(turnWith([item]));
  return text.slice("---\n\n".length, text.indexOf("\n\n*Turn: success*"));
}

const BLOCK = { key: "b", msgId: "m", blockIndex: 0 } as const;

const TOOL = {
  kind: "tool",
  key: "toolu_1",
  toolUseId: "toolu_1",
  name: "Bash",
  status: "done",
} as const;

test("the head has the facts about the session, and a heading also without a title", () => {
  const head = markdownHead({
    ...INFO,
    claude_session_id: "c-1",
    place: "build-box",
    title: "Mend\nthe build",
    cost_usd: 0.12345,
    updated_at: 60_000,
  });
  expect(head).toBe(`# Mend the build

- Folder: \`/work\` on \`build-box\`
- Session: \`s-1\`
- Conversation: \`c-1\`
- Begun: 1970-01-01T00:00:00.000Z; last change: 1970-01-01T00:01:00.000Z
- Cost: $0.1235
`);
  expect(markdownHead({ ...INFO, title: "" })).toStartWith("# A session\n");
});

describe("an entry", () => {
  const ITEMS: readonly (readonly [name: string, item: TranscriptItem, text: string])[] = [
    [
      "a message of a person",
      { kind: "user", key: "u", text: "Hello", source: "host", status: "completed" },
      "## User\n\nHello",
    ],
    [
      "a message that was not taken, and of which a picture is part",
      {
        kind: "user",
        key: "u",
        text: "Look",
        source: "host",
        status: "cancelled",
        content: [{ type: "image" }],
      },
      "## User\n\nLook\n\n*[image]*\n\n*cancelled*",
    ],
    ["a text of Claude", said("**Done**\n"), "## Claude\n\n**Done**"],
    [
      "a text that was cut off",
      { ...BLOCK, kind: "text", text: "Do", status: "abandoned" },
      "## Claude\n\nDo\n\n*abandoned*",
    ],
    [
      "thinking",
      { ...BLOCK, kind: "thinking", text: "One\n\ntwo", status: "complete" },
      "## Claude\n\n> *Thinking*\n>\n> One\n>\n> two",
    ],
    [
      "thinking that the API keeps",
      { ...BLOCK, kind: "thinking", text: "", status: "complete", redacted: true },
      "## Claude\n\n> *Thinking*\n>\n> *kept by the API*",
    ],
    [
      "a command with its result and the answer of a person",
      {
        ...TOOL,
        input: { command: "ls", timeout: 5 },
        result: { output: "```\nfile\n```\n", isError: false },
        permission: { requestId: "r", outcome: "allow", by: "phone", at: 0 },
      },
      '## Claude\n\n**Tool `Bash`**: done; asked: allow (by phone, 1970-01-01T00:00:00.000Z)\n\n```sh\nls\n```\n\n```json\n{\n  "timeout": 5\n}\n```\n\nResult:\n\n````\n```\nfile\n```\n````',
    ],
    [
      "a tool call that failed",
      {
        ...TOOL,
        name: "Read",
        status: "failed",
        input: {},
        result: { output: "none", isError: true },
      },
      "## Claude\n\n**Tool `Read`**: failed\n\n```json\n{}\n```\n\nError:\n\n```\nnone\n```",
    ],
    [
      "a notice with its details",
      {
        kind: "notice",
        key: "n",
        notice: { kind: "error", code: "control_timeout", message: "No answer", recoverable: true },
      },
      "**Warning**: No answer\n\n```\ncontrol_timeout\n```",
    ],
    [
      "a message of an unknown type",
      { kind: "unknown", key: "x", type: "news", message: { a: 1 } },
      '*A message of the type `news`*\n\n```json\n{\n  "a": 1\n}\n```',
    ],
  ];
  test.each(ITEMS)("has %s", (_name, item, text) => {
    expect(textOf(item)).toBe(text);
  });

  test("has one heading for all that Claude does in a row", () => {
    const user = { kind: "user", key: "u", text: "Hello", source: "host" } as const;
    const items = [user, TOOL, said("One", "a"), said("Two", "b"), user, said("Three", "c")];
    const text = markdownEntry(turnWith(items));
    expect(text.match(/^(#|\*\*|[A-Z]).*/gm)).toEqual([
      "## User",
      "Hello",
      "## Claude",
      "**Tool `Bash`**: done",
      "One",
      "Two",
      "## User",
      "Hello",
      "## Claude",
      "Three",
    ]);
  });

  test("quotes the work of an agent in its tool call, and an agent of its own in that", () => {
    const agent = { kind: "tool", key: "a", toolUseId: "a", name: "Task", status: "done" } as const;
    const agents = {
      a: [said("outer", "x"), { ...agent, key: "b", toolUseId: "b" }],
      b: [said("inner", "y"), { ...agent, key: "a", toolUseId: "a" }],
    };
    expect(markdownEntry(turnWith([agent], { agents }))).toBe(`---

## Claude

**Tool \`Task\`**: done

> *Agent*
>
> ## Claude
>
> outer
>
> **Tool \`Task\`**: done
>
> > *Agent*
> >
> > ## Claude
> >
> > inner
> >
> > **Tool \`Task\`**: done

*Turn: success*
`);
  });

  test("has an agent that was started in an earlier one", () => {
    const item = {
      kind: "notice",
      key: "n",
      notice: { kind: "text", level: "info", text: "On" },
    } as const;
    const text = markdownEntry(turnWith([], { agents: { earlier: [item] } }));
    expect(text).toContain("> *Agent*\n>\n> **Note**: On");
  });

  test("of a past turn, whose end nobody knows, has no line about it", () => {
    expect(markdownEntry(turnWith([], { status: "unknown" }))).toBe("---\n");
  });

  test("ends with how the turn ended", () => {
    const end = { subtype: "error_max_turns", isError: true, errors: ["too many"] };
    const cost = { costUsd: 0.5, durationMs: 1234 };
    expect(markdownEntry(turnWith([], { status: "error", end, cost }))).toBe(
      "---\n\n*Turn: error (error_max_turns) · $0.5000 · 1.2 s*\n\n```\ntoo many\n```\n",
    );
  });
});
