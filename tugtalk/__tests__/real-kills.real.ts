/**
 * A real `claude` that is killed with SIGKILL in every state: the messages to the host, and the
 * conversation after the next message. With the versions that differ in this.
 */
import { expect } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { MEASURED_VERSIONS } from "../simulator/measured-versions.ts";
import { transcriptFolder } from "../src/history/transcript-folder.ts";
import type { Received } from "../testing/drivers/bridge-process.ts";
import { answerTo, callTool, startGate } from "../testing/real/real-replies.ts";
import { conversationSent, mainRequests } from "../testing/real/real-requests.ts";
import type { RealPlace, RealSession } from "../testing/real/real-session.ts";
import { inOneSession, realTests } from "../testing/real/real-tests.ts";

const VERSIONS = ["2.1.197", "2.1.330"] as const;

const FIRST = {
  text: "remember the heron at the weir – Fischreiher 🪶",
  script: [callTool("Bash", { command: "echo noted", description: "note" }), "I will."],
  sent: [
    "user: remember the heron at the weir – Fischreiher 🪶",
    "assistant calls Bash",
    'user has the result "noted"',
    "assistant: I will.",
  ],
};

const NO_ANSWER = "assistant: No response requested.";
const NO_RESULT =
  "[Tool call interrupted: the session ended before this call's result was recorded, so its outcome is unknown. Check whether it took effect before relying on it or running it again.]";

/** The result that the model is sent for a tool call that was broken off. */
function repairedCall({ version }: RealPlace, tool: string): readonly string[] {
  const call = [`assistant calls ${tool}`, `user has the result "${NO_RESULT}"`];
  return version === "2.1.197" ? [NO_ANSWER] : [...call, NO_ANSWER];
}

/** A session with a first turn that is on disk. */
async function begin(place: RealPlace, init = {}): Promise<RealSession> {
  const session = await place.open(init);
  session.say(FIRST.text, ...FIRST.script);
  await session.turn("I will.");
  await session.untilWritten("I will.");
  return session;
}

/** The next message starts Claude again with the same conversation, whose further entries are `since`. */
async function expectGoesOn(session: RealSession, sent: string[], ...since: string[]) {
  const session_id = session.id;
  session.say("which bird?", "A heron.");
  const { args } = await session.next("process_started");
  expect(args).toContain(`--resume=${session_id}`);
  await session.next("session_init", { session_id, mode: "resume" });
  await session.turn("A heron.");
  sent.push(...since, "user: which bird?");
  expect(conversationSent(session.place.api)).toEqual(sent);
  sent.push("assistant: A heron.");
}

/** Messages that may arrive between a kill and the exit. */
const ENDS = new Set([
  ...["assistant_text", "tool_use", "control_request_cancel", "turn_complete", "turn_cancelled"],
  ...["message_status", "process_exit"],
]);

/** Kills Claude in a turn: exactly these messages come before the exit. */
async function expectBrokenOff(
  session: RealSession,
  turn: object,
  ...before: readonly object[]
): Promise<void> {
  const emitted = (await session.kill()).filter(({ type }: Received) => ENDS.has(type));
  expect(emitted).toMatchObject([
    ...before,
    { type: "turn_cancelled", reason: "exited", ...turn },
    { type: "message_status", status: "failed" },
    { type: "process_exit" },
  ]);
}

const ABANDONED = { type: "assistant_text", status: "abandoned" };

inOneSession(VERSIONS, begin, (declare) => {
  const sent = [...FIRST.sent];

  declare(
    "killed while idle: the next message goes on with the whole conversation",
    async (session) => {
      // That a message is done with, Claude may have said after the end of its turn.
      const emitted = (await session.kill()).filter(({ type }) => type !== "command_lifecycle");
      expect(emitted).toHaveLength(1);
      await expectGoesOn(session, sent);
    },
  );

  declare(
    "killed in a text: the turn ends with what was said of it, and the conversation goes on",
    async (session) => {
      const { id } = await session.hold();
      await session.untilWritten("tell");
      await expectBrokenOff(session, { partial_result: "begun", message_ids: [id] }, ABANDONED);
      await expectGoesOn(session, sent, "user: tell", NO_ANSWER);
    },
  );

  declare(
    "killed at a prompt: the prompt is closed, a late answer is stale, the conversation goes on",
    async (session) => {
      session.say("write", callTool("Write", { file_path: "new.txt", content: "a new line" }));
      const prompt = await session.prompt();
      const { request_id } = prompt;
      await session.untilWritten("a new line");
      const closed = { type: "control_request_cancel", request_id, reason: "exited" };
      await expectBrokenOff(session, { partial_result: "" }, closed);
      const in_reply_to = session.allow(prompt);
      await session.next("error", { code: "stale_request", request_id, in_reply_to });
      await expectGoesOn(session, sent, "user: write", ...repairedCall(session.place, "Write"));
      await session.end(4);
    },
  );
});

const beginSmall = (place: RealPlace) =>
  begin(place, { options: { allowed_tools: ["Bash"], max_queued: 2 } });

inOneSession(VERSIONS, beginSmall, (declare) => {
  const sent = [...FIRST.sent];

  declare(
    "killed while a tool runs: its call is repaired, and the conversation goes on",
    async (session) => {
      using gate = startGate();
      session.say("wait", callTool("Bash", { command: gate.command, description: "wait" }));
      await gate.reached;
      await session.untilWritten(gate.url);
      await expectBrokenOff(session, { partial_result: "" });
      await expectGoesOn(session, sent, "user: wait", ...repairedCall(session.place, "Bash"));
    },
  );

  declare(
    "killed with a full queue: what waited is answered by the next Claude, in order and once",
    async (session) => {
      await session.hold();
      await session.untilWritten("tell");
      const texts = ["second", "third"];
      const ids = texts.map((text) => session.say(text, answerTo(text)));
      const message_id = session.say("fourth");
      await session.next("error", { code: "queue_full", message_id });
      await session.next("message_status", { message_id, status: "rejected" });
      await expectBrokenOff(session, { partial_result: "begun" }, ABANDONED);
      for (const [at, id] of ids.entries()) {
        await session.turn({ text: `Answer to ${texts[at]}.`, message_ids: [id] });
        await session.next("message_status", { message_id: id, status: "completed" });
      }
      expect(conversationSent(session.place.api)).toEqual([
        ...sent,
        ...["user: tell", NO_ANSWER],
        ...["user: second", "assistant: Answer to second.", "user: third"],
      ]);
      expect(session.all("turn_cancelled")).toHaveLength(2);
      await session.end(3);
    },
  );
});

const test = realTests(...VERSIONS);

test("killed before a later one answered: its message never arrived, and the next one goes on", async (place) => {
  const session = await begin(place);
  const asked = place.api.requests.length;
  await session.kill();
  const message_id = session.say("too early");
  await session.next("process_started");
  await session.kill();
  await session.next("error", { code: "claude_start_failed", recoverable: true });
  const reason = "claude_start_failed";
  await session.next("message_status", { message_id, status: "cancelled", reason });
  expect(place.api.requests.length).toBe(asked);
  await expectGoesOn(session, [...FIRST.sent]);
  await session.end(3);
});

test("killed in its first text, and right after /clear: what is on disk goes on, an empty conversation with the next message only", async (place) => {
  const session = await place.open();
  await session.hold();
  await session.untilWritten("tell");
  await session.kill();
  session.say("and on?", "On.");
  await session.turn("On.");
  const sent = conversationSent(place.api);
  expect([sent.at(0), sent.at(-1)]).toEqual(["user: tell", "user: and on?"]);

  session.say("/clear");
  await session.turn();
  await session.kill();
  session.say("which bird?", "None.");
  const { session_id } = await session.next("session_init");
  await session.turn("None.");
  expect(session.all("system_metadata").at(-1)).toMatchObject({ session_id });
  const said = conversationSent(place.api).filter((line) => !line.includes("<command-"));
  expect(said.at(-1)).toBe("user: which bird?");
  expect(JSON.stringify(said)).not.toContain("and on?");
  // The test may have asked for the transcript before Claude had written it.
  const faults = session.all("error").filter(({ reason }) => reason !== "no_such_session");
  expect(faults).toEqual([]);
  await session.end(session.processes.length);
});

realTests("2.1.38")(
  "killed in its first text: the conversation is lost, the host is told, nothing is begun unasked, and a new one works",
  async (place) => {
    const session = await place.open();
    await session.hold();
    const lost = session.id;
    await session.kill();
    const asked = place.api.requests.length;

    const message_id = session.say("and on?");
    await session.next("process_exit", { exit_code: 1, will_restart: false });
    const reason = "no_such_session";
    const error = await session.next("error", { code: "resume_failed", reason, recoverable: true });
    expect(error["message"]).toContain(`No conversation found with session ID: ${lost}`);
    const dropped = { message_id, status: "cancelled", reason: "resume_failed" };
    await session.next("message_status", dropped);

    const refused = session.say("and on now?");
    await session.next("error", { code: "resume_failed", message_id: refused });
    expect(session.processes).toHaveLength(2);
    expect(place.api.requests.length).toBe(asked);

    await session.command("new", {}, { mode: "new" });
    session.say("hello", "A new one.");
    await session.turn("A new one.");
    expect(conversationSent(place.api)).toEqual(["user: hello"]);
    await session.end(3);
  },
);

/** Waits for the transcript of an empty conversation. */
async function untilThere({ place, id }: RealSession): Promise<void> {
  const { project, configDir } = place.home;
  const path = join(
    await transcriptFolder({ path: project, isMade: false }, configDir),
    `${id}.jsonl`,
  );
  while (!existsSync(path)) await Bun.sleep(10);
}

inOneSession(
  MEASURED_VERSIONS,
  (place) => place.open(),
  (declare, version) => {
    declare(
      "killed between turns: the model, its betas and its effort are the same after it",
      async (session) => {
        const asked = () => {
          const { headers, body } = mainRequests(session.place.api).at(-1) ?? {};
          return [body?.model, headers?.["anthropic-beta"], body?.["output_config"]];
        };
        await session.exchange("one", "First.");
        const before = asked();
        await session.kill();
        await session.exchange("two", "Second.");
        expect(asked()).toEqual(before);
        expect(session.all("model_changed")).toEqual([]);
      },
    );

    declare(
      "killed in an empty branch: it is there again with the next message",
      async (session) => {
        await session.command("fork", {}, { mode: "fork" });
        // The others write the transcript of a branch at its first message.
        if (version === "2.1.38") await untilThere(session);
        await session.kill();
        session.say("three", "Answered.");
        await session.turn("Answered.");
        const first = ["user: one", "assistant: First.", "user: two", "assistant: Second."];
        expect(conversationSent(session.place.api)).toEqual([...first, "user: three"]);
        await session.end(4);
      },
    );
  },
);
