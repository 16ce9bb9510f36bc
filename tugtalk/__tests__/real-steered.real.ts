/** Messages in the queue of a real `claude` and its work in the background: withdrawn, blocked by a hook, left at the end. */
import { expect } from "bun:test";
import { join } from "node:path";
import { MEASURED_VERSIONS } from "../simulator/measured-versions.ts";
import { as, callTool, type Gate, startGate } from "../testing/real/real-replies.ts";
import { mainRequests } from "../testing/real/real-requests.ts";
import type { RealPlace, RealSession } from "../testing/real/real-session.ts";
import { inOneSession, realTests } from "../testing/real/real-tests.ts";

/** A session in a held text, with steered messages that Claude has read. */
async function steerInto(session: RealSession, word: string, ...texts: string[]) {
  const { release } = await session.hold(word);
  const [id = "", other = ""] = await session.steer(...texts);
  return { id, other, release };
}

const receiptsOf = (session: RealSession, id: string) =>
  session
    .all("message_status")
    .filter(({ message_id }) => message_id === id)
    .map(({ status, merged, reason }) => [status, merged && "merged", reason].filter(Boolean));

type End = (session: RealSession) => unknown;

const sendCommand: End = (session) => session.send({ type: "session_command", command: "new" });

const ENDS: Readonly<Record<string, End>> = {
  "the end of stdin": ({ bridge }) => bridge.closeInput(),
  "a shutdown": (session) => session.send({ type: "shutdown" }),
};

/** Claude would go on with a tool in the conversation of this word; it asks no model and runs nothing at its end. */
async function expectNothingRun(session: RealSession, word: string, end: End): Promise<void> {
  const { api, home } = session.place;
  api.script(as(word, callTool("Bash", { command: "touch done" })), as(word, "Done."));
  const asked = mainRequests(api).length;
  end(session);
  await session.next("process_exit");
  expect(mainRequests(api)).toHaveLength(asked);
  expect(await Bun.file(join(home.project, "done")).exists()).toBe(false);
}

async function workInBackground(session: RealSession, word: string, gate: Gate): Promise<void> {
  const input = { command: gate.command, run_in_background: true };
  session.say(word, callTool("Bash", input), "Started.");
  await session.turn("Started.");
  await gate.reached;
  await session.untilWritten("Started.");
}

const test = realTests(...MEASURED_VERSIONS);

for (const [how, end] of Object.entries(ENDS)) {
  test(`work in the background asks no model and runs no tool after a session_command and ${how}`, async (place) => {
    using first = startGate();
    using second = startGate();
    const session = place.start({ options: { allowed_tools: ["Bash"] } });
    await workInBackground(session, "heron", first);
    await expectNothingRun(session, "heron", sendCommand);
    await session.next("session_init");
    await workInBackground(session, "otter", second);
    await expectNothingRun(session, "otter", end);
    await session.end(2);
  });

  test(`a queued message and its tools do not run after a session_command and ${how}`, async (place) => {
    const session = place.start({ options: { allowed_tools: ["Bash"] } });
    const expectDropped = async (word: string, ending: End, reason: string) => {
      const { id } = await steerInto(session, word, "do it");
      await expectNothingRun(session, word, ending);
      const last = place.version === "2.1.38" ? ["failed"] : ["cancelled", reason];
      expect(receiptsOf(session, id)).toEqual([["queued"], last]);
    };
    await expectDropped("heron", sendCommand, "session_command");
    await session.next("session_init");
    await expectDropped("otter", end, "shutdown");
    await session.end(2);
  });
}

/** A hook that blocks messages with the text `block`. */
const HOOK = `${process.execPath} -e 'const { prompt } = JSON.parse(await Bun.stdin.text()); if (prompt.includes("block")) console.log(JSON.stringify({ decision: "block", reason: "not that" }))'`;

function startWithHook(place: RealPlace): Promise<RealSession> {
  const hooks = { UserPromptSubmit: [{ hooks: [{ type: "command", command: HOOK }] }] };
  return place.open({ options: { settings: { hooks } } });
}

inOneSession(["2.1.197", "2.1.330"], startWithHook, (declare, version) => {
  declare(
    "a steered message that cancel_message withdraws is cancelled as withdrawn",
    async (session) => {
      const { id, release } = await steerInto(session, "tell", "not that");
      await session.ask({ type: "cancel_message", message_id: id });
      release();
      await session.turn("begun and ended");
      expect(receiptsOf(session, id)).toEqual([["queued"], ["cancelled", "withdrawn"]]);
    },
  );

  for (const texts of [
    ["block this", "fine words"],
    ["fine words", "block this"],
  ])
    declare(
      `of the steered messages ${texts.join(" and ")} a hook blocks one; both are completed, and the next message has its turn`,
      async (session) => {
        const { id, other, release } = await steerInto(session, "tell", ...texts);
        session.say("last", "To the last.");
        release();
        await session.turn("begun and ended");
        await session.turn({ message_ids: [id, other] });
        await session.turn("To the last.");
        expect(receiptsOf(session, id).at(-1)).toEqual(["completed"]);
        expect(receiptsOf(session, other).at(-1)).toEqual(["completed", "merged"]);
      },
    );

  if (version === "2.1.330")
    declare(
      "a steered message that an interrupt with cancel_queued drops is cancelled as interrupted",
      async (session) => {
        const { id } = await steerInto(session, "tell", "not that");
        await session.ask(
          { type: "interrupt", cancel_queued: true },
          { ok: true, cancelled: [id] },
        );
        await session.turn({ result: "cancelled" });
        expect(receiptsOf(session, id)).toEqual([["queued"], ["cancelled", "interrupted"]]);
      },
    );
});
