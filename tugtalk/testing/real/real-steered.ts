/** Messages in the queue of a real `claude`: withdrawn, blocked by a hook, or left at the end. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { expectContractKept, expectEnd, expectGone } from "./real-end.ts";
import { atPlace, describeReal } from "./real-kill.ts";
import {
  callTool,
  holdReply,
  isTurnEnd,
  ofType,
  type RealPlace,
  type RealSession,
  startedProcesses,
  startRealSession,
} from "./real-session.ts";

/** A session in a held text, with steered messages that Claude has read. */
async function steerInto(session: RealSession, ...texts: string[]) {
  const held = holdReply("begun", " and ended");
  session.say("tell", held.reply);
  await session.next(({ text, status }) => text === "begun" && status === "partial");
  const ids = texts.map((text) => {
    const message_id = crypto.randomUUID();
    session.send({ type: "user_message", text, message_id, delivery: "steer" });
    return message_id;
  });
  // Claude reads in order: the answer to a later line shows that it has the earlier ones.
  const id = session.send({ type: "permission_mode", mode: "default" });
  await session.next(({ type, in_reply_to }) => type === "control_result" && in_reply_to === id);
  return { ids, release: held.release };
}

const receiptsOf = ({ bridge }: RealSession, id: string | undefined) =>
  ofType(bridge.received, "message_status")
    .filter(({ message_id }) => message_id === id)
    .map(({ status, merged, reason }) => [status, merged && "merged", reason].filter(Boolean));

/** Declares the tests of one version that can withdraw messages. */
export function realRecalls(version: string): void {
  describeReal("a steered message", version, () => {
    test("a steered message that cancel_message withdraws is cancelled as withdrawn", () =>
      atPlace(version, async (place) => {
        const session = startRealSession(place);
        const { ids, release } = await steerInto(session, "not that");
        session.send({ type: "cancel_message", message_id: ids[0] });
        expect(await session.next("control_result")).toMatchObject({ ok: true });
        release();
        expect((await session.turn()).end).toMatchObject({ text: "begun and ended" });
        expect(receiptsOf(session, ids[0])).toEqual([["queued"], ["cancelled", "withdrawn"]]);
        await expectEnd(session);
      }));
  });
}

/** Declares the test of one version that drops its queue at an interrupt. */
export function realDroppedQueue(version: string): void {
  describeReal("a steered message", version, () => {
    test("a steered message that an interrupt with cancel_queued drops is cancelled as interrupted", () =>
      atPlace(version, async (place) => {
        const session = startRealSession(place);
        const { ids } = await steerInto(session, "not that");
        session.send({ type: "interrupt", cancel_queued: true });
        expect(await session.next("control_result")).toMatchObject({ ok: true, cancelled: ids });
        expect((await session.turn()).end).toMatchObject({ result: "cancelled" });
        expect(receiptsOf(session, ids[0])).toEqual([["queued"], ["cancelled", "interrupted"]]);
        await expectEnd(session);
      }));
  });
}

const LEAVES = ["the end of stdin", "a shutdown", "a session_command"] as const;

/** Declares the tests of one version about a queue at the end of a process. */
export function realLeftQueue(version: string, receipt: readonly string[]): void {
  describeReal("a steered message", version, () => {
    test.each(LEAVES)("a queued message and its tools do not run after %s", (how) =>
      atPlace(version, async (place) => {
        const options = { allowed_tools: ["Bash"] };
        const session = startRealSession(place, { options });
        const { ids } = await steerInto(session, "do it");
        place.api.script(callTool("Bash", { command: "touch done" }), "Done.");
        const mains = mainRequests(place);
        if (how === "the end of stdin") session.bridge.closeInput();
        else if (how === "a shutdown") session.send({ type: "shutdown" });
        else session.send({ type: "session_command", command: "new" });
        await session.next("process_exit");
        expect(mainRequests(place)).toBe(mains);
        expect(await Bun.file(join(place.home.project, "done")).exists()).toBe(false);
        const reason = how === "a session_command" ? "session_command" : "shutdown";
        const last = receipt.map((word) => (word === "reason" ? reason : word));
        expect(receiptsOf(session, ids[0])).toEqual([["queued"], last]);
        if (how === "a session_command") await session.next("session_init");
        session.bridge.closeInput();
        expect(await session.bridge.exited).toBe(0);
        expectGone(session.bridge, startedProcesses(session.bridge).length);
        expectContractKept(session.bridge);
      }),
    );
  });
}

function mainRequests({ api }: RealPlace): number {
  return api.requests.filter(({ kind }) => kind === "main").length;
}

/** A hook that blocks messages with the text `block`. */
const HOOK = `${process.execPath} -e 'const { prompt } = JSON.parse(await Bun.stdin.text()); if (prompt.includes("block")) console.log(JSON.stringify({ decision: "block", reason: "not that" }))'`;

/** Declares the tests of one version whose steered messages share a turn. */
export function realBlockedTurn(version: string): void {
  describeReal("two steered messages", version, () => {
    test.each([
      ["first", ["block this", "fine words"]],
      ["second", ["fine words", "block this"]],
    ] as const)(
      "of which a hook blocks the %s are both completed, and the next message has its turn",
      (_name, texts) =>
        atPlace(version, async (place) => {
          const hooks = { UserPromptSubmit: [{ hooks: [{ type: "command", command: HOOK }] }] };
          const session = startRealSession(place, { options: { settings: { hooks } } });
          const { ids, release } = await steerInto(session, ...texts);
          place.api.script("To the last.");
          session.send({ type: "user_message", text: "last" });
          release();
          expect((await session.turn()).end).toMatchObject({ text: "begun and ended" });
          expect(await session.next(isTurnEnd)).toMatchObject({ message_ids: ids });
          expect(await session.next(isTurnEnd)).toMatchObject({ text: "To the last." });
          const [first, second] = ids.map((id) => receiptsOf(session, id).at(-1));
          expect(first).toEqual(["completed"]);
          expect(second).toEqual(["completed", "merged"]);
          await expectEnd(session);
        }),
    );
  });
}
