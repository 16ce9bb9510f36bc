/** The dialogs for prompts, filled from captured conversations and from a session with a real Claude. */
import { expect, test } from "bun:test";
import {
  realSession,
  reduceCapture,
  reduceMessages,
} from "../../../testing/captures/reduced-capture.ts";
import { viewPrompt } from "../prompt-view.ts";

const isPrompt = ({ type }: { readonly type: string }) => type === "control_request_forward";

/** The dialogs of the first prompt of a capture. */
async function dialogsOf(capture: string) {
  const { prompts, mcpServers } = await reduceCapture(capture, isPrompt);
  return prompts.map((prompt) => viewPrompt(prompt, mcpServers));
}

test("the permission dialog of a command shows it whole, with the scope of each suggestion in words", async () => {
  const view = await dialogsOf("2.1.330/perm_req_bash_compound");
  expect(view).toEqual([
    {
      kind: "permission",
      requestId: "5c5d457f-c5c6-4c7a-a076-6d2118bf22e1",
      turnId: "00000000-0000-4000-8000-000000000002",
      toolUseId: "toolu_01Mock0021",
      toolName: "Bash",
      input: {
        command: "touch a.txt && npm install left-pad; git push origin main",
        description: "Run",
      },
      permissionSuggestions: [
        {
          type: "addRules",
          rules: [
            { toolName: "Bash", ruleContent: "touch a.txt" },
            { toolName: "Bash", ruleContent: "npm install *" },
            { toolName: "Bash", ruleContent: "git push *" },
          ],
          behavior: "allow",
          destination: "localSettings",
        },
      ],
      displayName: "Bash",
      description: "Run",
      tool: { name: "Bash", label: "Bash" },
      preview: {
        body: {
          kind: "command",
          command: "touch a.txt && npm install left-pad; git push origin main",
          isBackground: false,
        },
        rest: [{ name: "description", text: "Run" }],
      },
      suggestions: [
        {
          index: 0,
          isKnown: true,
          text: "Allow the Bash command `touch a.txt`, Bash commands that match `npm install *` and Bash commands that match `git push *` in this project, saved in .claude/settings.local.json for you",
          file: ".claude/settings.local.json",
          revoke:
            "Remove `Bash(touch a.txt)`, `Bash(npm install *)` and `Bash(git push *)` from permissions.allow in .claude/settings.local.json.",
        },
      ],
    },
  ]);
});

test("the permission dialog of an Edit by 2.1.38 shows the change", async () => {
  const view = await dialogsOf("2.1.38/tool_edit");
  expect(view).toEqual([
    {
      kind: "permission",
      requestId: "6717c043-fe5e-4b0b-9bfb-45c892b48a1c",
      turnId: "00000000-0000-4000-8000-000000000002",
      toolUseId: "toolu_01Mock0002",
      toolName: "Edit",
      input: {
        file_path: "/work/project/e.txt",
        old_string: "two",
        new_string: "TWO\nTWO-B",
        replace_all: false,
      },
      permissionSuggestions: [{ type: "setMode", mode: "acceptEdits", destination: "session" }],
      tool: { name: "Edit", label: "Edit" },
      preview: {
        body: {
          kind: "diff",
          filePath: "/work/project/e.txt",
          hunks: [
            {
              oldStart: 1,
              newStart: 1,
              lines: ["-two", "+TWO", "+TWO-B"],
              oldLines: 1,
              newLines: 2,
            },
          ],
        },
        rest: [{ name: "replace_all", text: "false" }],
      },
      suggestions: [
        {
          index: 0,
          isKnown: true,
          text: "Switch to the permission mode Accept edits (Claude edits files of the project without asking) for this session",
          revoke: "Switch to another permission mode at any time.",
        },
      ],
    },
  ]);
});

test("the permission dialog of an agent's Write names the agent's call", async () => {
  const view = await dialogsOf("2.1.330/sub_permission");
  expect(view).toEqual([
    {
      kind: "permission",
      requestId: "fbca11d1-3fee-4d7d-99b9-eb7dbfe89f3e",
      parentToolUseId: "toolu_01Mock0017",
      toolUseId: "toolu_01Mock0018",
      toolName: "Write",
      input: { file_path: "/work/project/sub.txt", content: "x" },
      permissionSuggestions: [{ type: "setMode", mode: "acceptEdits", destination: "session" }],
      displayName: "Write",
      description: "sub.txt",
      tool: { name: "Write", label: "Write" },
      preview: {
        body: {
          kind: "diff",
          filePath: "/work/project/sub.txt",
          hunks: [{ oldStart: 1, newStart: 1, lines: ["+x"], oldLines: 0, newLines: 1 }],
        },
        rest: [],
      },
      suggestions: [
        {
          index: 0,
          isKnown: true,
          text: "Switch to the permission mode Accept edits (Claude edits files of the project without asking) for this session",
          revoke: "Switch to another permission mode at any time.",
        },
      ],
    },
  ]);
});

test("the permission dialog of an MCP tool names the tool and its server", async () => {
  const view = await dialogsOf("2.1.330/tool_mcp_echo");
  expect(view).toEqual([
    {
      kind: "permission",
      requestId: "559a8c1c-b57c-49b4-b0ba-4f509563b042",
      turnId: "00000000-0000-4000-8000-000000000002",
      toolUseId: "toolu_01Mock0252",
      toolName: "mcp__probe__echo",
      input: { text: "hi" },
      permissionSuggestions: [
        {
          type: "addRules",
          rules: [{ toolName: "mcp__probe__echo" }],
          behavior: "allow",
          destination: "localSettings",
        },
      ],
      displayName: "Echo",
      tool: { name: "mcp__probe__echo", label: "echo", server: "probe" },
      preview: { body: { kind: "fields" }, rest: [{ name: "text", text: "hi" }] },
      suggestions: [
        {
          index: 0,
          isKnown: true,
          text: "Allow the tool echo of the MCP server probe in this project, saved in .claude/settings.local.json for you",
          file: ".claude/settings.local.json",
          revoke:
            "Remove `mcp__probe__echo` from permissions.allow in .claude/settings.local.json.",
        },
      ],
    },
  ]);
});

test("the question form has every question with its options", async () => {
  const view = await dialogsOf("2.1.197/ask_two_questions");
  expect(view).toEqual([
    {
      kind: "question",
      requestId: "3b463dd8-d6f6-41e4-bb76-46776a449e37",
      turnId: "00000000-0000-4000-8000-000000000002",
      toolUseId: "toolu_01Mock0020",
      questions: [
        {
          question: "Which DB?",
          header: "DB",
          isMultiSelect: false,
          options: [
            { label: "PG", description: "Postgres" },
            { label: "MySQL", description: "MySQL server" },
          ],
        },
        {
          question: "Which colours?",
          header: "Colours",
          isMultiSelect: true,
          options: [
            { label: "Red", description: "r" },
            { label: "Blue", description: "b" },
            { label: "Sea, green", description: "g" },
          ],
        },
      ],
    },
  ]);
});

test("the question form has the previews of options", async () => {
  const view = await dialogsOf("2.1.330/ask_preview");
  expect(view).toEqual([
    {
      kind: "question",
      requestId: "a64006e8-01fa-4072-b362-8d60f47e4707",
      turnId: "00000000-0000-4000-8000-000000000002",
      toolUseId: "toolu_01Mock0057",
      questions: [
        {
          question: "Which DB?",
          header: "DB",
          isMultiSelect: false,
          options: [
            { label: "A", description: "a", preview: "```\nAAA\n```" },
            { label: "B", description: "b", preview: "BBB" },
          ],
        },
      ],
    },
  ]);
});

test("the plan card has the plan and the ways to approve it", async () => {
  const view = await dialogsOf("2.1.330/plan_approve");
  expect(view).toEqual([
    {
      turnId: "00000000-0000-4000-8000-000000000003",
      toolUseId: "toolu_01Mock0280",
      kind: "plan",
      requestId: "cbfd7aa2-dde9-4a5d-8f63-317a05ae677a",
      toolName: "ExitPlanMode",
      plan: "# Plan\n1. Do it\n",
      planFilePath: "/home/user/.claude/plans/hello-optimized-conway.md",
      requests: [{ tool: "Bash", prompt: "run tests" }],
      approvals: [
        {
          text: "Carry out the plan, and edit files without asking",
          updatedPermissions: [{ type: "setMode", mode: "acceptEdits", destination: "session" }],
        },
        { text: "Carry out the plan, and ask as usual", updatedPermissions: [] },
      ],
    },
  ]);
});

test("the form of an MCP server has its fields in order, with kinds, limits and choices", async () => {
  const messages = await realSession("2.1.330-form");
  const end = messages.findIndex(({ type }) => type === "elicitation_request");
  const view = reduceMessages(messages.slice(0, end + 1)).prompts.map((prompt) =>
    viewPrompt(prompt),
  );
  expect(view).toEqual([
    {
      kind: "elicitation",
      requestId: "bba6aa70-e95e-4a20-9e24-cc0c6e1155c9",
      turnId: "8e84072a-4d3a-4eac-a791-1064886b1148",
      serverName: "my__tide",
      message: "who?",
      mode: "form",
      fields: [
        {
          name: "name",
          label: "Your name",
          kind: "text",
          isRequired: true,
          choices: [],
          description: "As on the door",
          min: 1,
          max: 40,
        },
        {
          name: "mail",
          label: "mail",
          kind: "text",
          isRequired: false,
          choices: [],
          format: "email",
        },
        {
          name: "age",
          label: "age",
          kind: "integer",
          isRequired: true,
          choices: [],
          min: 0,
          max: 150,
        },
        {
          name: "height",
          label: "height",
          kind: "number",
          isRequired: false,
          choices: [],
          initial: 1.7,
        },
        {
          name: "member",
          label: "member",
          kind: "boolean",
          isRequired: false,
          choices: [],
          initial: false,
        },
        {
          name: "colour",
          label: "colour",
          kind: "choice",
          isRequired: false,
          choices: [
            { value: "r", label: "Red" },
            { value: "b", label: "Blue" },
          ],
        },
        {
          name: "size",
          label: "size",
          kind: "choice",
          isRequired: false,
          choices: [
            { value: "s", label: "Small" },
            { value: "l", label: "Large" },
          ],
        },
        {
          name: "days",
          label: "days",
          kind: "choices",
          isRequired: false,
          choices: [
            { value: "Mo", label: "Mo" },
            { value: "Tu", label: "Tu" },
          ],
          min: 1,
        },
      ],
    },
  ]);
});

test("a dialog of a kind that the page does not know has its fields as texts", () => {
  // Made up: no real Claude has asked for a dialog.
  const payload = { title: "Which way?", ways: ["a", "b"] };
  const prompt = { kind: "dialog", requestId: "r", dialogKind: "ways", payload } as const;
  expect(viewPrompt(prompt)).toEqual({
    ...prompt,
    fields: [
      { name: "title", text: "Which way?" },
      { name: "ways", text: '[\n  "a",\n  "b"\n]' },
    ],
  });
});

test("a page that an MCP server wants opened has its address and no fields", () => {
  // Made up: no recording has one.
  const url = "https://tide.example/login";
  const prompt = {
    kind: "elicitation",
    requestId: "r",
    serverName: "s",
    message: "m",
    url,
  } as const;
  expect(viewPrompt(prompt)).toEqual({ ...prompt, mode: "url", fields: [] });
});

test("a plan that the prompt of 2.1.330 lacks is that of the tool call", async () => {
  const [view] = await dialogsOf("2.1.330/plan_no_plan_file");
  expect(view).toMatchObject({ kind: "plan", plan: "# Plan\n1. Do it\n", requests: [] });
});

test("a plan that Claude did not send is absent from its card", () => {
  const prompt = { requestId: "r", toolName: "ExitPlanMode", input: {} } as const;
  const view = viewPrompt({ kind: "permission", ...prompt, permissionSuggestions: [] });
  expect(view).toMatchObject({ kind: "plan", requests: [] });
  expect(view).not.toHaveProperty("plan");
});
