/** Conversations that have been: loaded, resumed and listed. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fieldsOf } from "../../../src/base/json.ts";
import type { AcpFrame } from "../../drivers/acp-client.ts";
import { callTool } from "../../real/real-replies.ts";
import { answered, said, sessionId, transcriptFolder } from "../../drivers/past-sessions.ts";
import type { Scenario, Stage } from "../scenario.ts";
import { diffsIn, endsIn, textOf, tells, type Update, updatesIn } from "../told.ts";
import { PIXEL } from "./texts.ts";

/** Long enough: Claude refuses to compact a shorter conversation. */
const LONG = "So it goes on. ".repeat(400);

/** Loads the session in a new agent. Only the frames from then on count. */
async function loadAnew(stage: Stage): Promise<void> {
  await stage.restart();
  stage.mark();
  await stage.load("session/load");
}

export const HISTORY: readonly Scenario[] = [
  {
    name: "load, plain",
    api: () => ["One.", "Two."],
    play: async (stage) => {
      await stage.prompt("first");
      await stage.prompt("second");
      await loadAnew(stage);
    },
    claims: [
      ["the prompts, in order", ({ frames }) => textOf(frames, "user_message") === "firstsecond"],
      ["the answers, in order", ({ frames }) => textOf(frames, "agent_message") === "One.Two."],
    ],
  },
  {
    name: "load of a conversation made with theirs",
    isBegunWithTheirs: true,
    api: ({ home }) => {
      const file_path = join(home.project, "edited.txt");
      writeFileSync(file_path, "one\ntwo\nthree\n");
      const edit = { file_path, old_string: "three\n", new_string: "3\n" };
      return ["Seen.", callTool("Read", { file_path }), callTool("Edit", edit), "Edited.", "Bye."];
    },
    play: async (stage) => {
      const image = { type: "image", mimeType: "image/png", data: PIXEL };
      await stage.prompt([{ type: "text", text: "look" }, image]);
      await stage.prompt("edit it");
      await stage.prompt("end");
      await loadAnew(stage);
    },
    claims: [
      [
        "the prompts, in order",
        ({ frames }) => textOf(frames, "user_message") === "lookedit itend",
      ],
      ["the image", ({ frames }) => tells(ofUser(frames), PIXEL)],
      [
        "the edit, with the file as it was and as it is",
        ({ frames }) =>
          diffsIn(frames).some(
            ({ oldText, newText }) => oldText === "one\ntwo\nthree\n" && newText === "one\ntwo\n3\n",
          ),
      ],
      [
        "the answers, in order",
        ({ frames }) => textOf(frames, "agent_message") === "Seen.Edited.Bye.",
      ],
    ],
  },
  {
    name: "load after a compaction",
    api: () => [LONG, "<summary>All was said.</summary>", "After."],
    play: async (stage) => {
      await stage.prompt("before");
      await stage.prompt("/compact");
      await stage.prompt("later");
      await loadAnew(stage);
    },
    claims: [
      ["what was before it", ({ frames }) => textOf(frames, "user_message").includes("before")],
      ["what came after it", ({ frames }) => textOf(frames, "agent_message").includes("After.")],
      [
        "its summary is no prompt",
        ({ frames }) => !textOf(frames, "user_message").includes("All was said."),
      ],
    ],
  },
  {
    name: "load after /clear",
    api: () => ["Old.", "New."],
    play: async (stage) => {
      await stage.prompt("old");
      await stage.prompt("/clear");
      await stage.prompt("new");
      await loadAnew(stage);
    },
    claims: [
      [
        "the new conversation, and not the old one",
        ({ frames }) => textOf(frames, "agent_message") === "New.",
      ],
    ],
  },
  {
    name: "load of 60 turns",
    play: async (stage) => {
      stage.sessionId = writePast(stage, 1, 60);
      await stage.load("session/load");
    },
    claims: [
      [
        "all prompts, in order",
        ({ frames }) => textOf(frames, "user_message") === numbered(60, "prompt"),
      ],
      [
        "all answers, in order",
        ({ frames }) => textOf(frames, "agent_message") === numbered(60, "answer"),
      ],
    ],
  },
  {
    name: "a list of 131",
    play: async (stage) => {
      for (let number = 1; number <= 131; number += 1) writePast(stage, number, 1);
      const { project } = stage.place.home;
      const { result } = await stage.client.ask("session/list", { cwd: project });
      await stage.client.ask("session/list", {
        cwd: project,
        cursor: fieldsOf(result)["nextCursor"],
      });
    },
    claims: [
      [
        "pages of 50",
        ({ frames }) =>
          frames.map(({ result }) => sessionsIn(result).length).join() === "50,50",
      ],
      [
        "no session twice",
        ({ frames }) => {
          const ids = frames.flatMap(({ result }) =>
            sessionsIn(result).map((each) => fieldsOf(each)["sessionId"]),
          );
          return ids.length > 0 && new Set(ids).size === ids.length;
        },
      ],
    ],
  },
  {
    name: "resume of a session never prompted",
    api: () => ["Hello."],
    play: async (stage) => {
      await stage.restart();
      stage.mark();
      await stage.load("session/resume");
      await stage.prompt("hello");
    },
    claims: [
      ["it goes on with its id", ({ frames }) => endsIn(frames).join() === "end_turn"],
      ["the answer is told", ({ frames }) => tells(frames, "Hello.")],
    ],
  },
  {
    name: "resume of a conversation",
    api: () => ["Hello.", "Again."],
    play: async (stage) => {
      await stage.prompt("hello");
      await stage.restart();
      stage.mark();
      await stage.load("session/resume");
      await stage.prompt("again");
    },
    claims: [
      ["nothing of before is told", ({ frames }) => !tells(frames, "Hello.")],
      ["it goes on", ({ frames }) => textOf(frames, "agent_message") === "Again."],
    ],
  },
  {
    name: "/compact",
    capabilities: { session: { notices: {}, compaction: {} } },
    api: () => [LONG, "<summary>All was said.</summary>"],
    play: async (stage) => {
      await stage.prompt("before");
      stage.mark();
      await stage.prompt("/compact");
    },
    claims: [
      [
        "it is told once that it has ended",
        ({ frames }) =>
          frames.filter(({ params }) => {
            const { sessionUpdate, status } = fieldsOf(fieldsOf(params)["update"]);
            return sessionUpdate === "compaction_update" && status === "completed";
          }).length === 1,
      ],
      ["the turn ends", ({ frames }) => endsIn(frames).join() === "end_turn"],
    ],
  },
];

function ofUser(frames: readonly AcpFrame[]): Update[] {
  return updatesIn(frames).filter(({ sessionUpdate }) => sessionUpdate === "user_message_chunk");
}

function sessionsIn(result: unknown): readonly unknown[] {
  const { sessions } = fieldsOf(result);
  return Array.isArray(sessions) ? sessions : [];
}

function numbered(count: number, word: string): string {
  return Array.from({ length: count }, (_, at) => `${word} ${at}.`).join("");
}

/** Writes a conversation of `turns` turns; returns its id. */
function writePast({ place: { home } }: Stage, number: number, turns: number): string {
  const id = sessionId(number);
  const common = { sessionId: id, cwd: home.project, version: "2.1.330", isSidechain: false };
  const lines = Array.from({ length: turns }, (_, at) => {
    const [prompt, answer, before] = [lineId(2 * at), lineId(2 * at + 1), lineId(2 * at - 1)];
    return [
      said(prompt, at === 0 ? null : before, `prompt ${at}.`),
      answered(answer, prompt, `answer ${at}.`, `msg_${at}`),
    ];
  }).flat();
  const folder = transcriptFolder(home.configDir, home.project);
  mkdirSync(folder, { recursive: true });
  const timestamp = "2026-01-01T00:00:00.000Z";
  const text = lines.map((line) => `${JSON.stringify({ ...common, timestamp, ...line })}\n`);
  writeFileSync(join(folder, `${id}.jsonl`), text.join(""));
  return id;
}

function lineId(number: number): string {
  return `aaaaaaaa-2222-4333-8444-${String(number).padStart(12, "0")}`;
}
