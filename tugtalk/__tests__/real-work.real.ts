/** Work beside the conversation, and trouble, with every measured version: subagents, commands in the background, steering, a failing API. */
import { expect } from "bun:test";
import { MEASURED_VERSIONS } from "../simulator/measured-versions.ts";
import type { MessageReply } from "../simulator/reply.ts";
import type { Received } from "../testing/drivers/bridge-process.ts";
import { isTurnEnd } from "../testing/observer/observer-turns.ts";
import { mcpServer } from "../testing/real/mcp-server.ts";
import type { Expected } from "../testing/real/real-expected.ts";
import {
  agentInput,
  as,
  callTool,
  holdWhole,
  startGate,
  THROUGH,
} from "../testing/real/real-replies.ts";
import { mainRequests, newestMessages } from "../testing/real/real-requests.ts";
import { ofType, type RealSession } from "../testing/real/real-session.ts";
import { inOneSession } from "../testing/real/real-tests.ts";

const TASK = "Count the birds at the weir.";

/** The subagent's first reply, which runs a command. */
const COUNT: MessageReply = {
  content: [
    { type: "text", text: "I count." },
    { type: "tool_use", name: "Bash", input: { command: "echo 3" } },
  ],
};

const textsOf = (messages: readonly Received[]) =>
  ofType(messages, "assistant_text").map(({ text }) => text);

/** The subagent's messages, and its call. */
function ofSubagent(messages: readonly Received[], { subagentTool }: Expected) {
  const [call, ...others] = ofType(messages, "tool_use").filter(
    ({ tool_name, status }) => tool_name === subagentTool && status === "complete",
  );
  expect(others).toEqual([]);
  const id = call?.["tool_use_id"];
  return { id, own: messages.filter(({ parent_tool_use_id }) => parent_tool_use_id === id) };
}

/** The notifications of tasks, in order. */
const taskTypes = (messages: readonly Received[]) =>
  messages.map(({ type }) => type).filter((type) => type.startsWith("task_"));

function expectForeground(messages: readonly Received[], expected: Expected): void {
  const { id, own } = ofSubagent(messages, expected);
  const turn_id = messages.find(isTurnEnd)?.["turn_id"];
  expect(own).toMatchObject([
    { type: "user_text", kind: "subagent_prompt", text: TASK, turn_id },
    { type: "tool_use", tool_name: "Bash", status: "complete", turn_id },
    { type: "tool_result", tool_name: "Bash", output: "3", turn_id },
  ]);
  expect(taskTypes(messages)).toEqual([...expected.subagentNotifications]);
  const result = ofType(messages, "tool_result").find(({ tool_use_id }) => tool_use_id === id);
  expect(result?.["output"]).toContain("Three.");
}

function expectTaskList(messages: readonly Received[], { emitsBackgroundTasks }: Expected): void {
  const lengths = ofType(messages, "background_tasks").map(({ tasks }) => Object(tasks).length);
  expect(lengths).toEqual(emitsBackgroundTasks ? [1, 0] : []);
}

/** The end of work in the background starts a turn. */
async function expectWake(session: RealSession, text: string): Promise<void> {
  const started = { trigger: "task", message_ids: [] };
  const { turn_id } = await session.next("turn_started", started);
  const origin = session.place.expected.wakeOrigin;
  await session.turn({ ...started, result: "success", turn_id, text, origin });
}

inOneSession(
  MEASURED_VERSIONS,
  async (place) => {
    const mcp_config = { mcpServers: { tide: mcpServer() } };
    const allowed_tools = ["Bash", "mcp__tide__wait"];
    const session = await place.open({ options: { mcp_config, allowed_tools } });
    await session.untilConnected();
    return session;
  },
  (test, version) => {
    // 2.1.38 rejects the input that its tool does not declare.
    const foreground = version === "2.1.38" ? [{}] : [{ run_in_background: false }];
    // 2.1.330 starts a subagent in the background unless the call says otherwise.
    for (const fields of version === "2.1.197" ? [...foreground, {}] : foreground)
      test(`a subagent that is called with ${JSON.stringify(fields)} works in the foreground, within the turn`, async (session) => {
        const { expected } = session.place;
        const call = callTool(expected.subagentTool, agentInput(TASK, fields));
        session.say("count them", call, as(TASK, COUNT), as(TASK, "Three."), "There are three.");
        const text = "There are three.";
        const { messages } = await session.turn({ result: "success", text, trigger: "user" });
        expectForeground(messages, expected);
      });

    if (version === "2.1.330")
      test("a subagent runs in the background by default, without a turn, and its end starts one", async (session) => {
        const { expected } = session.place;
        const last = holdWhole("Three.");
        const call = callTool(expected.subagentTool, agentInput(TASK));
        const main = ["It is being counted.", "There are three after all."] as const;
        const own = [as(TASK, COUNT), as(TASK, last.reply)];
        session.say("count", call, ...own, ...main);
        const first = await session.turn({ result: "success", text: main[0], trigger: "user" });
        last.release();
        await expectWake(session, main[1]);

        const { received } = session.bridge;
        const messages = received.slice(received.indexOf(first.end) - first.messages.length + 1);
        const { own: told } = ofSubagent(messages, expected);
        const types = ["assistant_text", "tool_use", "tool_result", "assistant_text"];
        expect(told.map(({ type }) => type)).toEqual(types);
        expect(told.filter(({ turn_id }) => turn_id !== undefined)).toEqual([]);
        expect(textsOf(told)).toEqual(["I count.", "Three."]);
        expectTaskList(messages, expected);
      });

    const wakes = version !== "2.1.38";
    test(`a command in the background outlives its turn, and its end starts ${wakes ? "another one" : "none"}`, async (session) => {
      using gate = startGate();
      const { expected, api } = session.place;
      const from = session.bridge.received.length;
      const call = callTool("Bash", { command: gate.command, run_in_background: true });
      session.say("run it", call, "It runs.");
      await session.turn({ result: "success", text: "It runs.", trigger: "user" });
      await gate.reached;
      if (wakes) api.script("It has ended.");
      gate.open();
      if (wakes) await expectWake(session, "It has ended.");
      else await session.exchange("has it ended?", "Who knows.");
      const messages = session.bridge.received.slice(from);
      const triggers = ofType(messages, "turn_started").map(({ trigger }) => trigger);
      expect(triggers).toEqual(["user", wakes ? "task" : "user"]);
      expect(taskTypes(messages)).toEqual([...expected.backgroundNotifications]);
      // From its start on it is known to run in the background.
      const later = messages.filter(({ type }) => /^task_(?!started)/.test(type));
      expect(later.filter(({ turn_id }) => turn_id !== undefined)).toEqual([]);
      expectTaskList(messages, expected);
    });

    test("a request to a busy API is repeated, and the turn succeeds", async (session) => {
      const { api, expected } = session.place;
      const asked = mainRequests(api).length;
      session.say("are you there?", { status: 529, message: "busy" }, "Here.");
      const { end, messages } = await session.turn("Here.");
      expect(end["is_error"]).toBe(false);
      const { turn_id } = end;
      expect(ofType(messages, "api_retry")).toMatchObject(
        expected.retries.overloaded.map((retry) => ({ ...retry, turn_id })),
      );
      expect(mainRequests(api)).toHaveLength(asked + 2);
    });

    test("the block of a cut stream is abandoned, and the whole answer follows", async (session) => {
      const text = "The whole answer.";
      const read = Promise.withResolvers<void>();
      const pieces = ["Half ", "an answer."];
      const at = { afterDeltas: 1 };
      const broken: MessageReply = {
        content: [{ type: "text", text: pieces.join(""), pieces }],
        // Claude loses the bytes that it has not read before a connection is reset, and asks again in another way.
        holds: [{ at, until: read.promise }],
        cut: { at, as: "abort" },
      };
      session.say("tell", broken, text);
      await session.begun("Half ");
      read.resolve();
      const { end, messages } = await session.turn(text);
      expect(end["is_error"]).toBe(false);
      const { retries, streamsAgain } = session.place.expected;
      expect(ofType(messages, "api_retry")).toMatchObject([...retries.cut]);
      const [cut, ...others] = blocksOf(messages);
      expect(cut).toEqual([["partial", "Half "], ["abandoned"]]);
      const whole = ["complete", text];
      expect(others).toEqual([streamsAgain ? [["partial", text], whole] : [whole]]);
    });

    test("a message steered while a tool runs is taken into the turn after the tool", async (session) => {
      using gate = startGate();
      const text = "also look for otters";
      const first = session.say(
        "wait",
        callTool("mcp__tide__wait", { url: gate.url }),
        "Taken in.",
      );
      await gate.reached;
      const [second] = await session.steer(text);
      gate.open();

      const { end, messages } = await session.turn("Taken in.");
      expect(end["message_ids"]).toEqual([first, second]);
      expect(ofType(messages, "tool_result")).toMatchObject([{ output: THROUGH }]);
      expect(newestMessages(session.place.api)).toContain(text);
      const { turn_id } = end;
      const said = ofType(messages, "user_text").filter(({ message_id }) => message_id === second);
      expect(said).toMatchObject([{ kind: "host", text, turn_id }]);
      const receipt = { turn_id, status: "completed" };
      await session.next("message_status", { ...receipt, message_id: first });
      await session.next("message_status", { ...receipt, message_id: second, merged: true });
    });

    test("messages steered into a text get turns after it, and a receipt each", async (session) => {
      // 2.1.38 merges no messages.
      const answers = version === "2.1.38" ? ["To one.", "To the other."] : ["To both."];
      const from = session.bridge.received.length;
      const { id, release } = await session.hold("tell", ...answers);
      const steered = await session.steer("more of it", "less of it");
      release();
      await session.turn({ text: "begun and ended", message_ids: [id] });
      for (const [index, text] of answers.entries()) {
        const message_ids = answers.length === 1 ? steered : [steered[index]];
        await session.turn({ result: "success", text, message_ids });
      }
      // The last turn's receipts follow its end.
      await session.next(({ type, state }) => type === "session_state" && state === "idle");
      const receipts = ofType(session.bridge.received.slice(from), "message_status").filter(
        ({ status }) => status === "completed",
      );
      expect(receipts.map(({ message_id }) => message_id)).toEqual([id, ...steered]);
      expect(receipts.filter(({ merged }) => merged === true)).toHaveLength(2 - answers.length);
    });
  },
);

/** The emitted texts, by message. */
function blocksOf(messages: readonly Received[]): unknown[][] {
  const texts = Object.groupBy(ofType(messages, "assistant_text"), ({ msg_id }) => String(msg_id));
  return Object.values(texts).map((pieces = []) =>
    pieces.map(({ status, text }) => (text === undefined ? [status] : [status, text])),
  );
}
