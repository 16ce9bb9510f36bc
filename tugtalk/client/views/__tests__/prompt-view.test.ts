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
  const command = "touch a.txt && npm install left-pad; git push origin main";
  expect(await dialogsOf("2.1.330/perm_req_bash_compound")).toMatchObject([
    {
      kind: "permission",
      preview: {
        body: { kind: "command", command, isBackground: false },
        rest: [{ name: "description", text: "Run" }],
      },
      suggestions: [
        {
          index: 0,
          text: "Allow the Bash command `touch a.txt`, Bash commands that match `npm install *` and Bash commands that match `git push *` in this project, saved in .claude/settings.local.json for you",
        },
      ],
    },
  ]);
});

test("the permission dialog of an agent's Write names the agent's call", async () => {
  expect(await dialogsOf("2.1.330/sub_permission")).toMatchObject([
    {
      kind: "permission",
      parentToolUseId: "toolu_01Mock0017",
      toolUseId: "toolu_01Mock0018",
      preview: { body: { kind: "diff", filePath: "/work/project/sub.txt" }, rest: [] },
    },
  ]);
});

test("the permission dialog of an MCP tool names the tool and its server", async () => {
  expect(await dialogsOf("2.1.330/tool_mcp_echo")).toMatchObject([
    {
      displayName: "Echo",
      tool: { name: "mcp__probe__echo", label: "echo", server: "probe" },
      preview: { body: { kind: "fields" }, rest: [{ name: "text", text: "hi" }] },
      suggestions: [
        { text: expect.stringMatching(/^Allow the tool echo of the MCP server probe /) },
      ],
    },
  ]);
});

test("the question form has every question with its options", async () => {
  expect(await dialogsOf("2.1.197/ask_two_questions")).toMatchObject([
    {
      kind: "question",
      questions: [
        { question: "Which DB?", header: "DB", isMultiSelect: false },
        {
          question: "Which colours?",
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
  const previews = [{ preview: "```\nAAA\n```" }, { preview: "BBB" }];
  expect(await dialogsOf("2.1.330/ask_preview")).toMatchObject([
    { questions: [{ options: previews }] },
  ]);
});

test("the plan card has the plan and the ways to approve it", async () => {
  expect(await dialogsOf("2.1.330/plan_approve")).toMatchObject([
    {
      kind: "plan",
      requestId: "cbfd7aa2-dde9-4a5d-8f63-317a05ae677a",
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
  const { prompts } = reduceMessages(messages.slice(0, end + 1));
  const free = { isRequired: false, choices: [] };
  const required = { isRequired: true, choices: [] };
  const chosen = (...choices: readonly (readonly [value: string, label: string])[]) => ({
    isRequired: false,
    choices: choices.map(([value, label]) => ({ value, label })),
  });
  const name = { name: "name", label: "Your name", description: "As on the door" };
  expect(prompts.map((prompt) => viewPrompt(prompt))).toMatchObject([
    {
      kind: "elicitation",
      serverName: "my__tide",
      message: "who?",
      mode: "form",
      fields: [
        { ...name, ...required, kind: "text", min: 1, max: 40 },
        { name: "mail", label: "mail", ...free, kind: "text", format: "email" },
        { name: "age", label: "age", ...required, kind: "integer", min: 0, max: 150 },
        { name: "height", label: "height", ...free, kind: "number", initial: 1.7 },
        { name: "member", label: "member", ...free, kind: "boolean", initial: false },
        { name: "colour", label: "colour", kind: "choice", ...chosen(["r", "Red"], ["b", "Blue"]) },
        { name: "size", label: "size", kind: "choice", ...chosen(["s", "Small"], ["l", "Large"]) },
        {
          name: "days",
          label: "days",
          kind: "choices",
          ...chosen(["Mo", "Mo"], ["Tu", "Tu"]),
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
  const asked = { serverName: "s", message: "m", url: "https://tide.example/login" };
  const prompt = { kind: "elicitation", requestId: "r", ...asked } as const;
  expect(viewPrompt(prompt)).toEqual({ ...prompt, mode: "url", fields: [] });
});

test("a plan that the prompt of 2.1.330 lacks is taken from the tool call", async () => {
  const [view] = await dialogsOf("2.1.330/plan_no_plan_file");
  expect(view).toMatchObject({ kind: "plan", plan: "# Plan\n1. Do it\n", requests: [] });
});

test("a plan that Claude did not send is absent from its card", () => {
  const prompt = { requestId: "r", toolName: "ExitPlanMode", input: {} } as const;
  const view = viewPrompt({ kind: "permission", ...prompt, permissionSuggestions: [] });
  expect(view).toMatchObject({ kind: "plan", requests: [] });
  expect(view).not.toHaveProperty("plan");
});
