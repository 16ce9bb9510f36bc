/** Questions of a real `claude` to a person through the agent, and the answers as its model reads them. */
import { expect } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Fields } from "../../src/base/json.ts";
import { AcpAgent } from "../../testing/drivers/acp-agent.ts";
import type { AcpFrame } from "../../testing/drivers/acp-client.ts";
import { mcpServer } from "../../testing/real/mcp-server.ts";
import { agentInput, as, callTool, question } from "../../testing/real/real-replies.ts";
import type { RealPlace } from "../../testing/real/real-session.ts";
import { realTests } from "../../testing/real/real-tests.ts";

const test = realTests("2.1.330");

const FORMS = { elicitation: { form: {}, url: {} } };
const PERMISSION = "session/request_permission";
const FORM = "elicitation/create";

/** An editor that shows forms, with one session and a server that asks. */
class Editor extends AcpAgent {
  readonly place: RealPlace;
  sessionId = "";

  constructor(place: RealPlace) {
    const { claude, home, api } = place;
    super({ claude, env: { ...home.environment(api.url) }, isIsolated: true });
    this.place = place;
  }

  async start(): Promise<void> {
    await this.initialize(FORMS);
    const { command, args } = mcpServer();
    const mcpServers = [{ name: "tide", command, args, env: [] }];
    const { result } = await this.ask("session/new", { cwd: this.place.home.project, mcpServers });
    this.sessionId = String(Object(result)["sessionId"]);
  }

  say(text: string): Promise<AcpFrame> {
    return this.prompt(this.sessionId, text);
  }

  /** The next request of this kind. */
  async asked(method: string, expected: object = {}): Promise<AcpFrame> {
    const frame = await this.next(({ id, method }) => id !== undefined && method !== undefined);
    expect(frame).toMatchObject({ method, params: { sessionId: this.sessionId, ...expected } });
    return frame;
  }

  choose(frame: AcpFrame, optionId: string): void {
    this.answer(frame, { outcome: { outcome: "selected", optionId } });
  }

  fill(frame: AcpFrame, content: Fields): void {
    this.answer(frame, { action: "accept", content });
  }

  cancel(): void {
    this.send({ method: "session/cancel", params: { sessionId: this.sessionId } });
  }

  withdrawn({ id }: AcpFrame): Promise<AcpFrame> {
    return this.next(
      ({ method, params }) => method === "$/cancel_request" && Object(params)["requestId"] === id,
    );
  }

  /** The newest results of tools that the model has read, as JSON. */
  get read(): string {
    const newest = this.place.api.requests.findLast(({ kind }) => kind === "main");
    return JSON.stringify(newest?.body.messages.findLast(({ role }) => role === "user"));
  }
}

const stopped = (stopReason: string) => ({ result: { stopReason } });
const ended = stopped("end_turn");

test("the model reads why it is refused, the answers, and that a plan is kept, rejected or approved", async (place) => {
  const { api, home } = place;
  const editor = new Editor(place);
  await editor.start();
  const write = (name: string) =>
    callTool("Write", { file_path: join(home.project, name), content: "one\n" });

  api.script(write("a.txt"), "Not written.");
  let turn = editor.say("write");
  editor.choose(await editor.asked(PERMISSION), "reject-why");
  editor.fill(await editor.asked(FORM), { reason: "Ask the keeper of the weir." });
  expect(await turn).toMatchObject(ended);
  expect(editor.read).toContain("Ask the keeper of the weir.");

  api.script(write("a.txt"), "Not written.");
  turn = editor.say("write");
  editor.choose(await editor.asked(PERMISSION), "nothing");
  expect(await turn).toMatchObject(ended);
  expect(editor.read).toContain("chose an option that was not offered");

  const questions = [question("Which DB?", ["PG", "Lite"]), question("Which?", ["A", "B"], true)];
  api.script(callTool("AskUserQuestion", { questions }), "Thanks.");
  turn = editor.say("ask");
  const form = await editor.asked(FORM, { message: "Claude has some questions." });
  editor.fill(form, { answer_1: "PG", answer_2: ["B", "A"] });
  expect(await turn).toMatchObject(ended);
  expect(editor.read).toContain('\\"Which DB?\\"=\\"PG\\"');
  expect(editor.read).toContain('\\"Which?\\"=\\"A,B\\"');

  await editor.ask("session/set_mode", { sessionId: editor.sessionId, modeId: "plan" });
  const plan = callTool("ExitPlanMode", { plan: "1. Look at the weir." });
  api.script(plan, plan, plan, write("b.txt"), "Done.");
  turn = editor.say("plan");
  for (const optionId of ["reject", "reject-why", "approve-0"]) {
    const asked = await editor.asked(PERMISSION);
    expect(JSON.stringify(Object(asked["params"])["toolCall"].content)).toContain("1. Look at");
    if (optionId === "reject-why") expect(editor.read).toContain("keep planning");
    if (optionId === "approve-0") expect(editor.read).toContain("Name the herons.");
    editor.choose(asked, optionId);
    if (optionId === "reject-why")
      editor.fill(await editor.asked(FORM), { reason: "Name the herons." });
  }
  expect(await turn).toMatchObject(ended);
  expect(existsSync(join(home.project, "b.txt"))).toBe(true);
  const modes = editor.updates(editor.sessionId).flatMap((one) => one["currentModeId"] ?? []);
  expect(modes.at(-1)).toBe("acceptEdits");

  const ask = callTool("mcp__tide__ask", { question: "Who?" });
  for (const [action, content] of [["accept", { name: "me" }], ["decline"], ["cancel"]] as const) {
    api.script(ask, "Asked.");
    turn = editor.say("who");
    editor.choose(await editor.asked(PERMISSION), "allow");
    const asked = await editor.asked(FORM, { message: "tide: Who?", mode: "form" });
    editor.answer(asked, { action, content });
    expect(await turn).toMatchObject(ended);
    expect(editor.read).toContain(`the answer: ${action}`);
  }

  api.script(ask);
  turn = editor.say("who");
  editor.choose(await editor.asked(PERMISSION), "allow");
  const open = await editor.asked(FORM);
  editor.cancel();
  await editor.withdrawn(open);
  editor.fill(open, { name: "late" });
  expect(await turn).toMatchObject(stopped("cancelled"));
  api.script("Still here.");
  expect(await editor.say("still there?")).toMatchObject(ended);
  expect(await editor.end()).toBe(0);
});

test("a plan is rejected while an agent asks, and a cancel refuses the request of an agent in the background", async (place) => {
  const { api, home } = place;
  const editor = new Editor(place);
  await editor.start();
  const write = (name: string) =>
    callTool("Write", { file_path: join(home.project, name), content: "one\n" });
  const plan = callTool("ExitPlanMode", { plan: "1. Look." });
  const agent = callTool("Agent", agentInput("OUTER", { run_in_background: true }));
  api.script(
    ...[agent, callTool("EnterPlanMode", {}), plan, "kept", "woken"].map((reply) =>
      as("MAIN", reply),
    ),
    ...[write("a.txt"), write("b.txt"), "outer done"].map((reply) => as("OUTER", reply)),
  );
  const turn = editor.say("MAIN: go");
  const both = [await editor.asked(PERMISSION), await editor.asked(PERMISSION)];
  const titleOf = ({ params }: AcpFrame) => String(Object(params)["toolCall"].title);
  const [planned, first] = both.sort((one, other) => titleOf(one).localeCompare(titleOf(other)));
  if (planned === undefined || first === undefined) throw new Error("not asked");
  editor.choose(planned, "reject");
  editor.choose(first, "allow");
  const second = await editor.asked(PERMISSION);
  expect(titleOf(second)).toContain("b.txt");
  editor.cancel();
  await editor.withdrawn(second);
  editor.choose(second, "allow");
  await turn;
  api.script(as("MAIN", "Still here."));
  expect(await editor.say("MAIN: still there?")).toMatchObject(ended);
  expect(["a.txt", "b.txt"].map((name) => existsSync(join(home.project, name)))).toEqual([
    ...[true, false],
  ]);
  expect(await editor.end()).toBe(0);
});
