/** The first list: prompts, their answers, results and questions. */
import { expect, test } from "bun:test";
import { exists, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Expected } from "./real-expected.ts";
import { callTool, newestMessages, ofType, type RealSession } from "./real-session.ts";

type At = () => RealSession;

/** Prompts and their answers, in this order. The last one leaves the mode `acceptEdits`. */
export function listPrompts(at: At): void {
  listApprovals(at);
  listDenial(at);
  listSuggestion(at);
}

function listApprovals(at: At): void {
  test("a Write allowed without updatedInput runs with the input that Claude gave", async () => {
    const { place, say, prompt, send, turn } = at();
    const input = { file_path: join(place.home.project, "a.txt"), content: "one\ntwö 漢\n" };
    say("write", callTool("Write", input), "Written.");

    const { request_id, ...asked } = await prompt();
    expect(asked).toMatchObject({ tool_name: "Write", input, is_question: false });
    expect(await exists(input.file_path)).toBe(false);
    send({ type: "tool_approval", request_id, decision: "allow" });

    const { end, messages } = await turn();
    expect(end).toMatchObject({ result: "success", text: "Written." });
    expect(await Bun.file(input.file_path).text()).toBe(input.content);
    expect(ofType(messages, "control_request_resolved")).toMatchObject([
      { request_id, outcome: "allow" },
    ]);
    expect(ofType(messages, "tool_result")).toMatchObject([
      { tool_name: "Write", is_error: false, tool_use_id: asked["tool_use_id"] },
    ]);
  });

  test("an Edit allowed with another updatedInput makes that edit, and shows its patch", async () => {
    const { place, say, prompt, send, turn } = at();
    const file_path = join(place.home.project, "a.txt");
    const input = { file_path, old_string: "one", new_string: "1" };
    say("edit", callTool("Edit", input), "Edited.");

    const { request_id, input: asked } = await prompt();
    expect(asked).toMatchObject(input);
    const updatedInput = { ...(asked as object), new_string: "eins" };
    send({ type: "tool_approval", request_id, decision: "allow", updatedInput });

    const { end, messages } = await turn();
    expect(end).toMatchObject({ result: "success", text: "Edited." });
    expect(await Bun.file(file_path).text()).toBe("eins\ntwö 漢\n");
    const [structured] = ofType(messages, "tool_use_structured");
    expect(structured).toMatchObject({
      tool_name: "Edit",
      structured_result: {
        structuredPatch: [{ oldStart: 1, lines: ["-one", "+eins", " twö 漢"] }],
      },
    });
  });
}

function listDenial(at: At): void {
  test("the reason of a denial reaches the model, and the tool does not run", async () => {
    const { place, say, prompt, send, turn } = at();
    const message = "Not on a Friday – „später“.";
    say("touch", callTool("Bash", { command: "touch denied.txt" }), "Then not.");

    const { request_id } = await prompt();
    send({ type: "tool_approval", request_id, decision: "deny", message });

    const { end, messages } = await turn();
    expect(end).toMatchObject({ result: "success", text: "Then not." });
    expect(end["permission_denials"]).toMatchObject([{ tool_name: "Bash" }]);
    expect(ofType(messages, "tool_result")).toMatchObject([
      { tool_name: "Bash", is_error: true, output: message },
    ]);
    expect(newestMessages(place.api)).toContain(message);
    expect(await exists(join(place.home.project, "denied.txt"))).toBe(false);
  });
}

function listSuggestion(at: At): void {
  test("after an accepted suggestion the next call of its kind has no prompt", async () => {
    const { place, say, prompt, send, turn } = at();
    const [first, second] = ["b.txt", "c.txt"].map((name) => ({
      file_path: join(place.home.project, name),
      content: name,
    }));
    if (first === undefined || second === undefined) throw new Error("two files are needed");
    say("write two", callTool("Write", first), callTool("Write", second), "Both.");

    const { request_id, permission_suggestions: updatedPermissions } = await prompt();
    expect(updatedPermissions).toEqual([
      { type: "setMode", mode: "acceptEdits", destination: "session" },
    ]);
    send({ type: "tool_approval", request_id, decision: "allow", updatedPermissions });

    const { end, messages } = await turn();
    expect(end).toMatchObject({ result: "success", text: "Both." });
    expect(ofType(messages, "control_request_forward")).toHaveLength(1);
    expect(ofType(messages, "permission_mode_changed")).toMatchObject([
      { mode: "acceptEdits", source: "claude" },
    ]);
    expect(await Bun.file(second.file_path).text()).toBe("c.txt");
  });
}

const QUESTIONS = [
  {
    question: "Which store?",
    header: "Store",
    multiSelect: false,
    options: ["SQLite", "Postgres"].map(option),
  },
  {
    question: "Which colours?",
    header: "Colours",
    multiSelect: true,
    options: ["Red", "Green", "Blue"].map(option),
  },
];

function option(label: string) {
  return { label, description: `${label}, that is.` };
}

/** Questions and results. */
export function listResults(at: At, expected: Expected): void {
  test("the answers to two questions, one of them multi-select, reach the model", async () => {
    const { place, say, prompt, send, turn } = at();
    say("ask me", callTool("AskUserQuestion", { questions: QUESTIONS }), "Noted.");

    const { request_id, ...asked } = await prompt();
    expect(asked).toMatchObject({ is_question: true, input: { questions: QUESTIONS } });
    const answers = { "Which store?": "Postgres", "Which colours?": ["Red", "Blue"] };
    send({ type: "question_answer", request_id, answers });

    const { end, messages } = await turn();
    expect(end).toMatchObject({ result: "success", text: "Noted." });
    expect(ofType(messages, "control_request_resolved")).toMatchObject([
      { request_id, outcome: "answered" },
    ]);
    const emitted = JSON.stringify(expected.answersToModel).slice(1, -1);
    expect(newestMessages(place.api)).toContain(emitted);
  });

  test("two tools in one message give two results, each with its name", async () => {
    const { place, say, turn } = at();
    const paths = ["left.txt", "right.txt"].map((name) => join(place.home.project, name));
    for (const path of paths) await writeFile(path, `in ${path}\n`);
    const calls = paths.map((file_path, index) => ({
      type: "tool_use" as const,
      name: "Read",
      id: `toolu_read_${index}`,
      input: { file_path },
    }));
    say("read both", { content: calls }, "Read.");

    const { end, messages } = await turn();
    expect(end).toMatchObject({ result: "success", text: "Read." });
    const results = ofType(messages, "tool_result").map(({ tool_use_id, tool_name, output }) => ({
      tool_use_id,
      tool_name,
      says: paths.find((path) => String(output).includes(`in ${path}`)),
    }));
    expect(results).toHaveLength(2);
    expect(results).toEqual(
      expect.arrayContaining(
        calls.map(({ id, name, input }) => ({
          tool_use_id: id,
          tool_name: name,
          says: input.file_path,
        })),
      ),
    );
  });
}
