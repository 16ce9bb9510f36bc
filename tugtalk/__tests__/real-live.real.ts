/** A live session beside its history, with a real `claude` of every measured version. */
import { expect, test } from "bun:test";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { MEASURED_VERSIONS } from "../simulator/measured-versions.ts";
import type { ScriptEntry } from "../simulator/reply-script.ts";
import { expectEnd } from "../testing/real/real-end.ts";
import { commandThrough, startGate } from "../testing/real/real-gate.ts";
import { atPlace, describeReal } from "../testing/real/real-kill.ts";
import { historyWith, liveMessages } from "../testing/real/real-live.ts";
import {
  callTool,
  holdReply,
  type RealPlace,
  type RealSession,
  startRealSession,
} from "../testing/real/real-session.ts";

/** Texts in the form of what Claude writes itself. */
const QUOTES = [
  "<local-command-stdout>Set effort level to low (this session only): x</local-command-stdout>",
  "[Request interrupted by user]",
  "<task-notification><task-id>t</task-id><status>completed</status></task-notification>",
  "<command-name>/x</command-name>\n<command-args>y</command-args>",
  "Unknown skill: nosuch",
  "Stop hook feedback: go on",
];

for (const version of MEASURED_VERSIONS)
  describeReal("history", version, () => {
    const start = async (place: RealPlace) => {
      await prepare(place);
      const session = startRealSession(place, { options: { allowed_tools: ["Bash"] } });
      await session.next("session_init");
      return session;
    };

    const sameAsLive = (name: string, act: (session: RealSession) => Promise<unknown>) =>
      test(`${name} is the same in the history as live`, () =>
        atPlace(version, async (place) => {
          const session = await start(place);
          await said(session, "begin", "Begun.");
          await act(session);
          await said(session, "the end?", "The end.");
          const history = await historyWith(session, "The end.");
          expect(history).toEqual(liveMessages(session));
          await expectEnd(session);
        }));

    sameAsLive("an answer that a Stop hook asked for", async (session) => {
      await writeFile(join(session.place.home.root, "ask"), "");
      session.say(
        "work",
        "First answer.",
        callTool("Bash", { command: "echo 3" }),
        "Second answer.",
      );
      await session.turn();
    });
    sameAsLive("a command with a file of its own", (session) =>
      said(session, "/greet Bob", "Good day."),
    );
    sameAsLive("an answer after a failed request", async (session) => {
      const failure = { status: 529, message: "busy", headers: { "retry-after": "0" } };
      session.say("try", failure, "At the second try.");
      expect((await session.turn()).end).toMatchObject({ text: "At the second try." });
    });
    sameAsLive("the output of a command", (session) => said(session, "/context"));
    sameAsLive("a message with a text attachment", (session) => attach(session, "look"));
    sameAsLive("a message of a text attachment only", (session) => attach(session, ""));
    sameAsLive("a turn that was interrupted", async (session) => {
      session.say("tell", holdReply("begun", " and never ended").reply);
      await interrupt(session, "begun");
    });
    sameAsLive("a change of the model by request", async (session) => {
      const id = session.send({ type: "model_change", model: "haiku" });
      await session.next(({ in_reply_to }) => in_reply_to === id);
    });
    sameAsLive("a compaction", async (session) => {
      // 2.1.197 compacts nothing shorter.
      for (const text of ["one", "two"]) await said(session, text, "Said.");
      await said(session, "/compact", "<summary>All.</summary>");
    });

    sameAsLive("a compaction that keeps the output of a command", async (session) => {
      for (const text of ["one", "two"]) await said(session, text, "Said.");
      await said(session, "/context");
      const id = session.send({ type: "model_change", model: "haiku" });
      await session.next(({ in_reply_to }) => in_reply_to === id);
      await said(session, "/compact", `<summary>It said ${QUOTES[0]}</summary>`);
    });
    test.each(QUOTES)(
      "a message that quotes Claude is the same in the history as live: %s",
      (text) =>
        atPlace(version, async (place) => {
          const session = await start(place);
          await said(session, text, "Read.");
          await said(session, "the end?", "The end.");
          const history = await historyWith(session, "The end.");
          expect(history).toEqual(liveMessages(session));
          expect(history[0]).toMatchObject({ kind: "history", text });
          await expectEnd(session);
        }),
    );

    // 2.1.38 stores neither unknown commands nor steered messages.
    if (version === "2.1.38") return;
    sameAsLive("a command that is not known", (session) =>
      said(session, "/nosuch", ...(version === "2.1.330" ? ["What?"] : [])),
    );
    sameAsLive("a /model that was typed", (session) => said(session, "/model sonnet"));
    sameAsLive("a turn that the end of a background command began", async (session) => {
      await inBackground(session, "It ended.");
      await session.turn();
    });
    sameAsLive(
      "a turn that a background command began and that was interrupted",
      async (session) => {
        const held = holdReply("woken", " never");
        await inBackground(session, held.reply);
        await interrupt(session, "woken");
      },
    );
    sameAsLive("a message that was steered", async (session) => {
      using gate = startGate();
      session.say("wait", callTool("Bash", { command: commandThrough(gate) }), "Taken in.");
      await gate.reached;
      const message_id = crypto.randomUUID();
      session.send({ type: "user_message", text: "steered", message_id, delivery: "steer" });
      // Claude reads in order: the answer to a later line shows that it has the message.
      const id = session.send({ type: "permission_mode", mode: "default" });
      await session.next(
        ({ type, in_reply_to }) => type === "control_result" && in_reply_to === id,
      );
      gate.open();
      await session.turn();
    });
  });

async function prepare({ home }: RealPlace): Promise<void> {
  const ask = join(home.root, "ask");
  const block = '{"decision":"block","reason":"say more"}';
  const command = `if [ -f '${ask}' ]; then rm '${ask}'; echo '${block}'; fi`;
  const hooks = { Stop: [{ hooks: [{ type: "command", command }] }] };
  await writeFile(join(home.configDir, "settings.json"), JSON.stringify({ hooks }));
  const commands = join(home.project, ".claude", "commands");
  await mkdir(commands, { recursive: true });
  await writeFile(join(commands, "greet.md"), "Greet $ARGUMENTS warmly.\n");
}

async function said(session: RealSession, text: string, ...script: ScriptEntry[]): Promise<void> {
  session.say(text, ...script);
  expect((await session.turn()).end).toMatchObject({ result: "success" });
}

async function attach({ place, send, turn }: RealSession, text: string): Promise<void> {
  place.api.script("Read.");
  const attachments = [{ filename: "a.txt", content: "words of a file", media_type: "text/plain" }];
  send({ type: "user_message", text, attachments });
  await turn();
}

async function interrupt(session: RealSession, words: string): Promise<void> {
  await session.next(({ text, status }) => text === words && status === "partial");
  session.send({ type: "interrupt" });
  expect((await session.turn()).end).toMatchObject({ result: "cancelled" });
}

/** Starts a command in the background and lets it end after the turn. */
async function inBackground(session: RealSession, reply: ScriptEntry): Promise<void> {
  using gate = startGate();
  const input = { command: commandThrough(gate), run_in_background: true };
  session.say("start", callTool("Bash", input), "Started.", reply);
  await session.turn();
  gate.open();
  await session.next("task_notification");
}
