/** What a line of input means while something is asked. */
import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isPrompt, type PromptRequest, refuse } from "../../../client/answers.ts";
import { InboundMessage, OutboundMessage } from "../../../src/types.ts";
import { newPrompt } from "../prompt.ts";
import type { Prompt, PromptStep } from "../prompt-step.ts";

type Fields = Readonly<Record<string, unknown>>;

const folder = mkdtempSync(join(tmpdir(), "tugtalk-prompt-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** In the order of the capture 2.1.330/deny.jsonl and others: a rule, a folder, a mode. */
const SUGGESTIONS = [
  {
    type: "addRules",
    rules: [{ toolName: "Bash", ruleContent: "touch a.txt" }],
    behavior: "allow",
    destination: "localSettings",
  },
  { type: "addDirectories", directories: ["/work/project"], destination: "session" },
  { type: "setMode", mode: "acceptEdits", destination: "session" },
];

function request(fields: Fields): PromptRequest {
  const common = { ipc_version: 2, seq: 1, request_id: "r" };
  const message = OutboundMessage.parse({ ...common, ...fields });
  if (!isPrompt(message)) throw new Error(message.type);
  return message;
}

function permissionRequest(suggestions: readonly unknown[] = SUGGESTIONS, input: Fields = {}) {
  const asked = { tool_name: "Bash", input: { command: "ls", ...input }, is_question: false };
  return request({
    type: "control_request_forward",
    ...asked,
    permission_suggestions: suggestions,
  });
}

function questionRequest(multiSelect: boolean, ...questions: string[]): PromptRequest {
  const options = [{ label: "Red" }, { label: "Green, or so" }, { label: "Blue" }];
  const input = {
    questions: questions.map((text) => ({ question: text, header: "H", options, multiSelect })),
  };
  const asked = { tool_name: "AskUserQuestion", input, is_question: true };
  return request({ type: "control_request_forward", ...asked });
}

/** Gives lines one after the other; returns what the last one did. */
function answerAll(first: Prompt, lines: readonly string[]): PromptStep {
  let prompt = first;
  let step: PromptStep = { kind: "unclear", hint: "nothing was typed" };
  for (const line of lines) {
    step = prompt.answer(line);
    if (step.kind === "next") prompt = step.prompt;
  }
  return step;
}

function textOf({ lines }: Prompt): string {
  return lines.map(({ text }) => text).join("\n");
}

describe("a permission prompt", () => {
  const approval = { type: "tool_approval", id: "r", request_id: "r" };
  const rows: readonly (readonly [line: string, fields: Fields])[] = [
    ["y", { decision: "allow" }],
    [" Yes ", { decision: "allow" }],
    ["a1", { decision: "allow", updatedPermissions: SUGGESTIONS.slice(0, 1) }],
    ["A3", { decision: "allow", updatedPermissions: SUGGESTIONS.slice(2) }],
    ["n", { decision: "deny" }],
    ["no", { decision: "deny" }],
    ["n use rm -i  instead", { decision: "deny", message: "use rm -i  instead" }],
    ["No, use rm -i", { decision: "deny", message: "use rm -i" }],
  ];
  for (const [line, fields] of rows) {
    test(`takes "${line}" as ${JSON.stringify(fields)}`, () => {
      const step = newPrompt(permissionRequest()).answer(line);
      expect(step).toEqual({ kind: "answered", message: { ...approval, ...fields } as never });
    });
  }

  const unclear = [
    "",
    "a",
    "a0",
    "a4",
    "1",
    "yay",
    "y please",
    "yes, but only this file",
    "a different name would be better",
    "a1 then",
    "always",
    "now",
    "nothing",
    "y\ny",
  ];
  for (const line of unclear) {
    test(`asks again after ${JSON.stringify(line)}, which is none of its answers`, () => {
      expect(newPrompt(permissionRequest()).answer(line).kind).toBe("unclear");
    });
  }

  test("offers a single suggestion as a, and as nothing else", () => {
    const prompt = newPrompt(permissionRequest(SUGGESTIONS.slice(0, 1)));
    expect(prompt.answer("a")).toMatchObject({
      message: { decision: "allow", updatedPermissions: SUGGESTIONS.slice(0, 1) },
    });
    expect(prompt.answer("a1").kind).toBe("unclear");
  });

  test("offers no lasting permission where Claude suggests none that it can put into words", () => {
    for (const suggestions of [[], [{ type: "grantAll", destination: "session" }]]) {
      const prompt = newPrompt(permissionRequest(suggestions));
      expect(prompt.answer("a").kind).toBe("unclear");
      expect(textOf(prompt)).toEndWith(
        "Allow it? Answer with one of:\n  y   yes, this once\n  n   no; or n and a reason, which Claude is told",
      );
    }
  });

  test("says in words what each suggestion allows and for how long", () => {
    expect(textOf(newPrompt(permissionRequest()))).toContain(
      [
        "  a1  yes, and allow the Bash command `touch a.txt` in this project, saved in .claude/settings.local.json for you",
        "  a2  yes, and let Claude work in `/work/project` for this session",
        "  a3  yes, and switch to the permission mode Accept edits (Claude edits files of the project without asking) for this session",
      ].join("\n"),
    );
  });

  test("shows the input of a tool whole", () => {
    const command = Array.from({ length: 300 }, (_, index) => `echo ${index}`).join("\n");
    expect(textOf(newPrompt(permissionRequest([], { command })))).toContain("echo 299");
  });

  test("shows an Edit as a diff of the file before it is allowed", () => {
    const file_path = join(folder, "a.txt");
    writeFileSync(file_path, "1\n2\n3\n4\nold\n6\n7\n8\n9\n");
    const input = { file_path, old_string: "old", new_string: "new\nnewer" };
    const asked = { tool_name: "Edit", input, is_question: false };
    const text = textOf(newPrompt(request({ type: "control_request_forward", ...asked })));
    const diff = "  @@ -2 +2 @@\n   2\n   3\n   4\n  -old\n  +new\n  +newer\n   6\n   7\n   8\n";
    expect(text).toStartWith(
      `Claude wants to use Edit\n  file_path: ${file_path}\n${diff}Allow it?`,
    );
  });

  test("shows all places that an Edit of every occurrence changes", () => {
    const file_path = join(folder, "b.txt");
    writeFileSync(file_path, "x = 1;\ny = x;\n");
    const input = { file_path, old_string: "x", new_string: "z", replace_all: true };
    const asked = { tool_name: "Edit", input, is_question: false };
    const text = textOf(newPrompt(request({ type: "control_request_forward", ...asked })));
    expect(text).toContain("  -x = 1;\n  -y = x;\n  +z = 1;\n  +y = z;\n");
    expect(text).toContain("  replace_all: true\n");
  });

  test("shows what a Write removes from a file that exists", () => {
    const file_path = join(folder, "c.txt");
    writeFileSync(file_path, "kept\ngone\n");
    const asked = {
      tool_name: "Write",
      input: { file_path, content: "kept\n" },
      is_question: false,
    };
    const text = textOf(newPrompt(request({ type: "control_request_forward", ...asked })));
    expect(text).toContain("  (the whole file:)\n  @@ -1 +1 @@\n   kept\n  -gone\n");
  });

  test("shows an Edit of a file that it cannot read by its texts", () => {
    const input = { file_path: "/nowhere/x", old_string: "a", new_string: "b" };
    const asked = { tool_name: "Edit", input, is_question: false };
    const text = textOf(newPrompt(request({ type: "control_request_forward", ...asked })));
    expect(text).toContain("  (somewhere in the file:)\n  @@ -1 +1 @@\n  -a\n  +b\n");
  });
});

describe("a question", () => {
  type Answer = string | string[] | undefined;
  const rows: readonly (readonly [line: string, single: Answer, multi: Answer])[] = [
    ["1", "Red", ["Red"]],
    [" 3 ", "Blue", ["Blue"]],
    ["1,3", undefined, ["Red", "Blue"]],
    ["2 1", undefined, ["Green, or so", "Red"]],
    ["2, 2", "Green, or so", ["Green, or so"]],
    ["0", undefined, undefined],
    ["4", undefined, undefined],
    ["1,4", undefined, undefined],
    [",", undefined, undefined],
    ["", undefined, undefined],
    ["1 of each", "1 of each", "1 of each"],
    ["Mauve", "Mauve", "Mauve"],
  ];
  for (const [line, single, multi] of rows) {
    test(`takes "${line}" as ${JSON.stringify(single)} or, of many, as ${JSON.stringify(multi)}`, () => {
      for (const [multiSelect, answer] of [
        [false, single],
        [true, multi],
      ] as const) {
        const step = newPrompt(questionRequest(multiSelect, "Which?")).answer(line);
        if (answer === undefined) expect(step.kind).toBe("unclear");
        else expect(step).toMatchObject({ message: { answers: { "Which?": answer } } });
      }
    });
  }

  test("is asked after the one before it, and all are answered together", () => {
    const step = answerAll(newPrompt(questionRequest(false, "A?", "B?")), ["1", "2"]);
    const answers = { "A?": "Red", "B?": "Green, or so" };
    const message = { type: "question_answer", id: "r", request_id: "r", answers } as const;
    expect(step).toEqual({ kind: "answered", message });
  });

  test("that cannot be read can be refused and not allowed", () => {
    const asked = { tool_name: "AskUserQuestion", input: { odd: true }, is_question: true };
    const prompt = newPrompt(request({ type: "control_request_forward", ...asked }));
    expect(prompt.answer("y").kind).toBe("unclear");
    expect(prompt.answer("n")).toMatchObject({ message: { decision: "deny" } });
    expect(textOf(prompt)).not.toContain("yes");
  });
});

describe("an elicitation", () => {
  const elicitation = { type: "elicitation_request", mcp_server_name: "tide", message: "Who?" };
  const requested_schema = {
    type: "object",
    properties: {
      name: { type: "string", title: "Your name", description: "as on the door" },
      age: { type: "integer" },
      height: { type: "number" },
      member: { type: "boolean" },
      colour: { type: "string", enum: ["r", "b"], enumNames: ["Red", "Blue"] },
      size: { type: "string", oneOf: [{ const: "s", title: "Small" }, { const: "l" }] },
      days: { type: "array", items: { type: "string", enum: ["Mo", "Tu", "We"] } },
    },
    required: ["name", "age"],
  };
  const form = () => newPrompt(request({ ...elicitation, mode: "form", requested_schema }));

  test("by a form is filled in field by field", () => {
    const lines = ["y", "Ada", "36", "1.7", "n", "2", "1", "1, 3"];
    expect(answerAll(form(), lines)).toEqual({
      kind: "answered",
      message: {
        type: "elicitation_answer",
        id: "r",
        request_id: "r",
        action: "accept",
        content: {
          name: "Ada",
          age: 36,
          height: 1.7,
          member: false,
          colour: "b",
          size: "s",
          days: ["Mo", "We"],
        },
      },
    });
  });

  test("leaves out optional fields at an empty line, and asks again for required ones", () => {
    const lines = ["y", "", "Ada", "3.5", "x", "36", "", "perhaps", "", "3", "", "", "4", ""];
    expect(answerAll(form(), lines)).toMatchObject({
      message: { action: "accept", content: { name: "Ada", age: 36 } },
    });
  });

  test("shows who asks, what, and every field", () => {
    expect(textOf(form())).toStartWith(
      "The MCP server tide asks: Who?\n  Your name: as on the door\n  age\n  height\n",
    );
    const step = form().answer("y");
    if (step.kind !== "next") throw new Error(step.kind);
    expect(textOf(step.prompt)).toBe("Your name: as on the door\nAnswer: a text");
  });

  test("is declined by a no, and accepted by nothing but a yes", () => {
    expect(form().answer("n")).toMatchObject({ message: { action: "decline" } });
    for (const line of ["", "sure", "yes please", "a"]) {
      expect(form().answer(line).kind).toBe("unclear");
    }
  });

  test("by a page shows its address and is answered without data", () => {
    const url = "https://tide.example/login";
    const prompt = newPrompt(request({ ...elicitation, mode: "url", url }));
    expect(textOf(prompt)).toContain(`\n  page: ${url}\n`);
    const step = prompt.answer("y");
    expect(step).toMatchObject({ message: { action: "accept", content: undefined } });
  });
});

describe("a dialog", () => {
  const payload = { title: "Which way?", ways: ["a", "b"] };
  const dialog = () => newPrompt(request({ type: "dialog_request", dialog_kind: "ways", payload }));

  test("shows its kind and what it holds", () => {
    expect(textOf(dialog())).toBe(
      'Claude shows a dialog: ways\n  title: Which way?\n  ways:\n    [\n      "a",\n      "b"\n    ]\nDo you complete it? y / n',
    );
  });

  test("is completed with a result in JSON, or with none", () => {
    const expected = { type: "dialog_answer", behavior: "completed" };
    expect(answerAll(dialog(), ["y", "{oops", '{"way":"a"}'])).toMatchObject({
      message: { ...expected, result: { way: "a" } },
    });
    expect(answerAll(dialog(), ["y", ""])).toMatchObject({ message: expected });
  });

  test("is cancelled by a no, and completed by nothing but a yes", () => {
    expect(dialog().answer("no")).toMatchObject({ message: { behavior: "cancelled" } });
    expect(dialog().answer('y {"way":"a"}').kind).toBe("unclear");
  });
});

test("every answer is a message that the bridge takes", () => {
  const requests = [
    permissionRequest(),
    questionRequest(false, "A?"),
    questionRequest(true, "A?"),
    request({ type: "elicitation_request", mcp_server_name: "s", message: "m" }),
    request({ type: "dialog_request", dialog_kind: "k", payload: {} }),
  ];
  const inputs = [["y"], ["y", ""], ["y", "1"], ["a1"], ["n"], ["n why"], ["1"], ["words"]];
  const steps = requests.flatMap((asked) =>
    inputs.map((lines) => answerAll(newPrompt(asked), lines)),
  );
  const messages = steps.flatMap((step) => (step.kind === "answered" ? [step.message] : []));
  expect(messages.length).toBeGreaterThan(20);
  for (const message of [...messages, ...requests.map((asked) => refuse(asked, "no"))]) {
    const sent = JSON.parse(JSON.stringify(message));
    expect<unknown>(InboundMessage.parse(sent)).toEqual(sent);
  }
});
