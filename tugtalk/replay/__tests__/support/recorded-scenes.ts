/** Small sessions with a real `claude`, each with a behaviour that a replay must reproduce. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expectEnd } from "../../../testing/real/real-end.ts";
import type { Expected } from "../../../testing/real/real-expected.ts";
import { killClaude } from "../../../testing/real/real-kill.ts";
import { callTool, holdReply, type RealSession } from "../../../testing/real/real-session.ts";
import { COUNT, replies, TASK } from "../../../testing/real/real-work.ts";

/** Runs one session to its end. */
type Scene = (session: RealSession, expected: Expected) => Promise<void>;

/** The scenes, by the names of their recordings. */
export const SCENES: Readonly<Record<string, Scene>> = {
  "text-and-tools": textAndTools,
  "interrupt-and-clear": interruptAndClear,
  "crash-and-resume": crashAndResume,
  "lost-conversation": lostConversation,
  subagent,
};

const FORM = {
  questions: [
    {
      question: "Which store?",
      header: "Store",
      options: [
        { label: "Postgres", description: "a server" },
        { label: "SQLite", description: "a file" },
      ],
      multiSelect: false,
    },
  ],
};

async function textAndTools(session: RealSession): Promise<void> {
  const { place, say, prompt, send, turn } = session;
  const thinking = "Überlegen… 思う 🤔";
  const text = "Grüße 👋 漢字, and the key is sk-ant-made-up-0123456789.";
  say("hällo 👋", {
    content: [
      { type: "thinking", thinking },
      { type: "text", text },
    ],
    pieceChars: 4,
  });
  await turn();

  const input = { file_path: join(place.home.project, "a.txt"), content: "one\n" };
  say("write", callTool("Write", input), "Written.");
  const write = await prompt();
  send({ type: "tool_approval", request_id: write["request_id"], decision: "allow" });
  await turn();

  say("ask", callTool("AskUserQuestion", FORM), "Postgres it is.");
  const { request_id } = await prompt();
  send({ type: "question_answer", request_id, answers: { "Which store?": "Postgres" } });
  await turn();
  await expectEnd(session);
}

async function interruptAndClear(session: RealSession): Promise<void> {
  const { say, next, send, turn } = session;
  say("tell", holdReply("begun", " and never ended").reply);
  await next(({ text, status }) => text === "begun" && status === "partial");
  send({ type: "user_message", text: "this one is withdrawn" });
  send({ type: "interrupt", cancel_queued: true });
  await turn();
  say("/clear");
  await turn();
  say("a new page", "A new page.");
  await turn();
  await expectEnd(session);
}

async function crashAndResume(session: RealSession): Promise<void> {
  const { say, next, turn } = session;
  say("remember", "I do.");
  await turn();
  say("tell", holdReply("begun", " and never ended").reply);
  await next(({ text, status }) => text === "begun" && status === "partial");
  await killClaude(session);
  say("are you there?", "Again.");
  // Transcripts are written late: after a kill, 2.1.38 and 2.1.197 may have nothing to resume.
  await next(({ type }) => type === "turn_complete" || type === "error");
  await expectEnd(session, 2);
}

async function lostConversation(session: RealSession): Promise<void> {
  const { place, say, next, send, turn } = session;
  say("remember", "I do.");
  await turn();
  // A conversation of one turn would be replaced by a new one.
  say("still?", "Still.");
  await turn();
  await killClaude(session);
  await rm(join(place.home.configDir, "projects"), { recursive: true, force: true });
  say("are you there?");
  await next("error");
  send({ type: "session_command", command: "new" });
  say("a new page", "A new page.");
  await turn();
  await expectEnd(session, 3);
}

async function subagent(session: RealSession, expected: Expected): Promise<void> {
  const { say, turn } = session;
  const input = { description: "count", prompt: TASK, subagent_type: "general-purpose" };
  const hasChoice = expected.subagentNotifications.length > 0;
  const call = callTool(expected.subagentTool, {
    ...input,
    ...(hasChoice && { run_in_background: false }),
  });
  say("count them", call, ...replies([COUNT, "Three."], ["There are three."]));
  await turn();
  await expectEnd(session);
}
