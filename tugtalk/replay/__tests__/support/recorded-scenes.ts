/** Small sessions with a real `claude`, each with a behaviour that a replay must reproduce. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { agentInput, as, callTool, question } from "../../../testing/real/real-replies.ts";
import type { RealSession } from "../../../testing/real/real-session.ts";

/** Runs one session to its end. */
type Scene = (session: RealSession) => Promise<void>;

/** The scenes, by the names of their recordings. */
export const SCENES: Readonly<Record<string, Scene>> = {
  "text-and-tools": textAndTools,
  "interrupt-and-clear": interruptAndClear,
  "crash-and-resume": crashAndResume,
  "lost-conversation": lostConversation,
  subagent,
};

async function textAndTools(session: RealSession): Promise<void> {
  const thinking = "Überlegen… 思う 🤔";
  const text = "Grüße 👋 漢字, and the key is sk-ant-made-up-0123456789.";
  session.say("hällo 👋", {
    content: [
      { type: "thinking", thinking },
      { type: "text", text },
    ],
    pieceChars: 4,
  });
  await session.turn();

  const input = { file_path: join(session.place.home.project, "a.txt"), content: "one\n" };
  session.say("write", callTool("Write", input), "Written.");
  session.allow(await session.prompt());
  await session.turn();

  const questions = [question("Which store?", ["Postgres", "SQLite"])];
  session.say("ask", callTool("AskUserQuestion", { questions }), "Postgres it is.");
  const { request_id } = await session.prompt();
  session.send({ type: "question_answer", request_id, answers: { "Which store?": "Postgres" } });
  await session.turn();
  await session.end();
}

async function interruptAndClear(session: RealSession): Promise<void> {
  await session.hold();
  session.send({ type: "user_message", text: "this one is withdrawn" });
  session.send({ type: "interrupt", cancel_queued: true });
  await session.turn({ result: "cancelled" });
  session.say("/clear");
  await session.turn();
  session.say("a new page", "A new page.");
  await session.turn();
  await session.end();
}

async function crashAndResume(session: RealSession): Promise<void> {
  session.say("remember", "I do.");
  await session.turn();
  await session.hold();
  await session.kill();
  session.say("are you there?", "Again.");
  // Claude writes transcripts late: after a kill, 2.1.38 and 2.1.197 may have nothing to resume.
  await session.next(({ type }) => type === "turn_complete" || type === "error");
  await session.end(2);
}

async function lostConversation(session: RealSession): Promise<void> {
  // A conversation of one turn would be replaced by a new one.
  for (const text of ["remember", "still?"]) {
    session.say(text, "I do.");
    await session.turn();
  }
  await session.kill();
  await rm(join(session.place.home.configDir, "projects"), { recursive: true, force: true });
  session.say("are you there?");
  await session.next("error");
  session.send({ type: "session_command", command: "new" });
  session.say("a new page", "A new page.");
  await session.turn();
  await session.end(3);
}

async function subagent(session: RealSession): Promise<void> {
  const { subagentTool, subagentNotifications } = session.place.expected;
  const task = "Count the birds at the weir.";
  const hasChoice = subagentNotifications.length > 0;
  const input = agentInput(task, hasChoice ? { run_in_background: false } : {});
  const count = callTool("Bash", { command: "echo 3" });
  const own = [as(task, count), as(task, "Three.")];
  session.say("count them", callTool(subagentTool, input), ...own, "There are three.");
  await session.turn();
  await session.end();
}
