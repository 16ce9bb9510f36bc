/** Tools with every measured version of the CLI: permissions, questions, plans, an MCP server. */
import { expect } from "bun:test";
import { exists, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ApiRequest } from "../simulator/api-request.ts";
import { MEASURED_VERSIONS } from "../simulator/measured-versions.ts";
import { mcpServer } from "../testing/real/mcp-server.ts";
import { callTool, question } from "../testing/real/real-replies.ts";
import { newestMessages } from "../testing/real/real-requests.ts";
import { ofType } from "../testing/real/real-session.ts";
import { inOneSession } from "../testing/real/real-tests.ts";

inOneSession(
  MEASURED_VERSIONS,
  async (place) => {
    const session = await place.open({
      options: { mcp_config: { mcpServers: { tide: mcpServer() } } },
    });
    await session.untilConnected();
    return session;
  },
  (test) => {
    test("a tool of an MCP server over stdio has a prompt, runs and answers", async (session) => {
      const tool_name = "mcp__tide__level";
      const input = { place: "the weir" };
      session.say("how is the tide?", callTool(tool_name, input), "High.");
      session.allow(await session.prompt({ tool_name, input }));
      const { messages } = await session.turn("High.");
      const output = "high at the weir";
      expect(ofType(messages, "tool_result")).toMatchObject([
        { tool_name, output, is_error: false },
      ]);
      expect(ofType(messages, "tool_use_structured")).toMatchObject([
        { tool_name, structured_result: [{ type: "text", text: output }] },
      ]);
      expect(newestMessages(session.place.api)).toContain(output);
      const [init] = ofType(messages, "system_metadata");
      expect(init?.["mcp_servers"]).toMatchObject([{ name: "tide", status: "connected" }]);
    });

    test("only 2.1.330 writes over a file that it has not read, and the host may read one that is there", async (session) => {
      const file_path = join(session.place.home.project, "known.txt");
      await writeFile(file_path, "old\n");
      const write = callTool("Write", { file_path, content: "new\n" });
      session.say("overwrite it", write, "Not read.");
      const isWritten = session.place.version === "2.1.330";
      if (isWritten) session.allow(await session.prompt({ tool_name: "Write" }));
      const { messages } = await session.turn("Not read.");
      expect(ofType(messages, "tool_result")).toMatchObject([{ is_error: !isWritten }]);
      expect(await readFile(file_path, "utf8")).toBe(isWritten ? "new\n" : "old\n");
      session.say("read it first", callTool("Read", { file_path }), write, "Done.");
      const prompt = await session.prompt({ tool_name: "Write" });
      const read = { type: "control", subtype: "read_file", path: file_path };
      const isKnown = session.place.version !== "2.1.38";
      const contents = isWritten ? "new\n" : "old\n";
      await session.ask(read, isKnown ? { response: { contents } } : { ok: false });
      session.allow(prompt);
      await session.turn("Done.");
    });

    test("an accepted plan ends the plan mode", async (session) => {
      await session.ask({ type: "permission_mode", mode: "plan" });
      await session.next("permission_mode_changed", { mode: "plan", source: "host" });
      const tool_name = "ExitPlanMode";
      const plan = "1. Look at the weir.";
      session.say("make a plan", callTool(tool_name, { plan }), "Begun.");
      session.allow(await session.prompt({ tool_name, is_question: false, plan }));
      const { messages } = await session.turn("Begun.");
      expect(ofType(messages, "system_metadata")).toMatchObject([{ permissionMode: "plan" }]);
      expect(ofType(messages, "permission_mode_changed")).toMatchObject([
        { mode: "default", source: "claude" },
      ]);
      expect(ofType(messages, "tool_result")).toMatchObject([{ tool_name, is_error: false }]);
    });

    test("the prompt about a plan that is in the plan file only has the plan", async (session) => {
      await session.ask({ type: "permission_mode", mode: "plan" });
      const content = "1. Count the herons.\n";
      // Claude names the file to the model.
      const withFile =
        (name: string, input = {}) =>
        ({ body }: Pick<ApiRequest, "body">) => {
          const [file_path] = /\/[^\s"\\]*\/plans\/[\w-]+\.md/.exec(JSON.stringify(body)) ?? [];
          return callTool(name, { file_path, ...input });
        };
      // The file of an earlier plan must be read before it is overwritten.
      const steps = [withFile("Read"), withFile("Write", { content })];
      session.say("make a plan", ...steps, callTool("ExitPlanMode", {}), "Begun.");
      session.allow(await session.prompt({ tool_name: "ExitPlanMode", plan: content }));
      await session.turn("Begun.");
    });

    test("a Write allowed without updatedInput runs with the input that Claude gave", async (session) => {
      const file_path = join(session.place.home.project, "a.txt");
      const input = { file_path, content: "one\ntwö 漢\n" };
      session.say("write", callTool("Write", input), "Written.");
      const prompt = await session.prompt({ tool_name: "Write", input, is_question: false });
      const { request_id, tool_use_id } = prompt;
      expect(await exists(file_path)).toBe(false);
      session.allow(prompt);
      const { messages } = await session.turn("Written.");
      expect(await Bun.file(file_path).text()).toBe(input.content);
      expect(ofType(messages, "control_request_resolved")).toMatchObject([
        { request_id, outcome: "allow" },
      ]);
      expect(ofType(messages, "tool_result")).toMatchObject([
        { tool_name: "Write", is_error: false, tool_use_id },
      ]);
    });

    test("an Edit allowed with another updatedInput makes that edit, and shows its patch", async (session) => {
      const file_path = join(session.place.home.project, "a.txt");
      const input = { file_path, old_string: "one", new_string: "1" };
      session.say("edit", callTool("Edit", input), "Edited.");
      const prompt = await session.prompt({ input });
      const updatedInput = { ...(prompt["input"] as object), new_string: "eins" };
      session.allow(prompt, { updatedInput });
      const { messages } = await session.turn("Edited.");
      expect(await Bun.file(file_path).text()).toBe("eins\ntwö 漢\n");
      const structuredPatch = [{ oldStart: 1, lines: ["-one", "+eins", " twö 漢"] }];
      expect(ofType(messages, "tool_use_structured")).toMatchObject([
        { tool_name: "Edit", structured_result: { structuredPatch } },
      ]);
    });

    test("the reason of a denial reaches the model, and the tool does not run", async (session) => {
      const message = "Not on a Friday – „später“.";
      session.say("touch", callTool("Bash", { command: "touch denied.txt" }), "Then not.");
      const { request_id } = await session.prompt();
      session.send({ type: "tool_approval", request_id, decision: "deny", message });
      const { end, messages } = await session.turn("Then not.");
      expect(end["permission_denials"]).toMatchObject([{ tool_name: "Bash" }]);
      expect(ofType(messages, "tool_result")).toMatchObject([
        { tool_name: "Bash", is_error: true, output: message },
      ]);
      expect(newestMessages(session.place.api)).toContain(message);
      expect(await exists(join(session.place.home.project, "denied.txt"))).toBe(false);
    });

    test("after an accepted suggestion the next call of its kind has no prompt", async (session) => {
      const pathOf = (name: string) => join(session.place.home.project, name);
      const write = (name: string) => callTool("Write", { file_path: pathOf(name), content: name });
      session.say("write two", write("b.txt"), write("c.txt"), "Both.");
      const updatedPermissions = [{ type: "setMode", mode: "acceptEdits", destination: "session" }];
      const prompt = await session.prompt();
      expect(prompt["permission_suggestions"]).toEqual(updatedPermissions);
      session.allow(prompt, { updatedPermissions });
      const { messages } = await session.turn("Both.");
      expect(ofType(messages, "control_request_forward")).toHaveLength(1);
      expect(ofType(messages, "permission_mode_changed")).toMatchObject([
        { mode: "acceptEdits", source: "claude" },
      ]);
      expect(await Bun.file(pathOf("c.txt")).text()).toBe("c.txt");
    });

    test("the answers to questions reach the model, of one with many choices and one with an odd name", async (session) => {
      const questions = [
        question("Which store?", ["SQLite", "Postgres"]),
        question("Which colours?", ["Red", "Green", "Blue"], true),
        question("__proto__", ["yes", "no"]),
      ];
      session.say("ask me", callTool("AskUserQuestion", { questions }), "Noted.");
      const { request_id } = await session.prompt({ is_question: true, input: { questions } });
      const answers = {
        "Which store?": "Postgres",
        "Which colours?": ["Red", "Blue"],
        ["__proto__"]: "yes",
      };
      session.send({ type: "question_answer", request_id, answers });
      const { messages } = await session.turn("Noted.");
      expect(ofType(messages, "control_request_resolved")).toMatchObject([
        { request_id, outcome: "answered" },
      ]);
      const { answersAre } = session.place.expected;
      const told = `${answersAre} "Which store?"="Postgres", "Which colours?"="Red,Blue", "__proto__"="yes".`;
      expect(newestMessages(session.place.api)).toContain(JSON.stringify(told).slice(1, -1));
    });

    test("two tools in one message give two results, each with its name", async (session) => {
      const paths = ["left.txt", "right.txt"].map((name) => join(session.place.home.project, name));
      for (const path of paths) await writeFile(path, `in ${path}\n`);
      const content = paths.map((file_path, index) => ({
        type: "tool_use" as const,
        name: "Read",
        id: `toolu_read_${index}`,
        input: { file_path },
      }));
      session.say("read both", { content }, "Read.");
      const { messages } = await session.turn("Read.");
      const results = ofType(messages, "tool_result").sort((one, other) =>
        String(one["tool_use_id"]).localeCompare(String(other["tool_use_id"])),
      );
      expect(results).toMatchObject(
        content.map(({ id, name, input }) => ({
          tool_use_id: id,
          tool_name: name,
          output: expect.stringContaining(`in ${input.file_path}`),
        })),
      );
    });
  },
);
