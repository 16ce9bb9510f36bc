/** The start of a session, and the updates of a turn of texts. */
import { fieldsOf } from "../../../src/base/json.ts";
import type { Scenario } from "../scenario.ts";
import { countOf, endsIn, textOf, tells, updatesIn } from "../told.ts";

export const TEXTS: readonly Scenario[] = [
  {
    name: "start",
    isUnopened: true,
    play: async (stage) => {
      await stage.initialize();
      await stage.open();
    },
    claims: [
      [
        "the mode is Claude's own",
        ({ frames }) =>
          frames.some(({ result }) => fieldsOf(fieldsOf(result)["modes"])["currentModeId"] === "default"),
      ],
      [
        "the commands are told at most once",
        ({ frames }) => countOf(frames, "available_commands_update") <= 1,
      ],
    ],
  },
  {
    name: "start without a login",
    isUnopened: true,
    env: { ANTHROPIC_API_KEY: "" },
    play: async (stage) => {
      await stage.initialize();
      await stage.client.ask("session/new", { cwd: stage.place.home.project, mcpServers: [] });
    },
    claims: [
      [
        "a session is refused with -32000",
        ({ frames }) => endsIn(frames).join() === "-32000",
      ],
      [
        "a login is offered",
        ({ frames }) => tells(frames.slice(0, 1), "authMethods") && !tells(frames, '"authMethods":[]'),
      ],
    ],
  },
  {
    name: "text with thinking",
    api: () => [
      {
        content: [
          { type: "thinking", thinking: "Let me see.", signature: "s" },
          { type: "text", text: "It is so.", pieces: ["It is", " so."] },
        ],
      },
    ],
    play: (stage) => stage.prompt("is it so?"),
    claims: [
      ["the thought, once", ({ frames }) => textOf(frames, "agent_thought") === "Let me see."],
      ["the text, once", ({ frames }) => textOf(frames, "agent_message") === "It is so."],
      ["the turn ends", ({ frames }) => endsIn(frames).join() === "end_turn"],
      [
        "thought and text are messages of their own",
        ({ frames }) => {
          const ids = (kind: string) =>
            updatesIn(frames).filter(({ sessionUpdate }) => sessionUpdate === kind)[0]?.["messageId"];
          return ids("agent_thought_chunk") !== ids("agent_message_chunk");
        },
      ],
    ],
  },
  {
    name: "a slash command of Claude's own",
    play: (stage) => stage.prompt("/context"),
    claims: [
      [
        "its output is told once",
        ({ frames }) => textOf(frames, "agent_message").split("## Context Usage").length === 2,
      ],
      ["the turn ends", ({ frames }) => endsIn(frames).join() === "end_turn"],
    ],
  },
  {
    name: "an unknown slash command",
    api: () => ["There is none."],
    play: (stage) => stage.prompt("/nothing-such"),
    claims: [
      ["something is told", ({ frames }) => textOf(frames, "agent_message") !== ""],
      ["the turn ends", ({ frames }) => endsIn(frames).join() === "end_turn"],
    ],
  },
  {
    name: "an image that is none",
    api: () => ["Seen."],
    play: (stage) =>
      stage.prompt([
        { type: "text", text: "look" },
        { type: "image", mimeType: "image/png", data: "aGVsbG8=" },
      ]),
    claims: [
      ["it is refused with -32602", ({ frames }) => endsIn(frames).join() === "-32602"],
      [
        "the model is not asked",
        ({ place }) => place.api.requests.every(({ kind }) => kind !== "main"),
      ],
    ],
  },
  {
    name: "an image in",
    api: () => ["Seen."],
    play: (stage) =>
      stage.prompt([
        { type: "text", text: "look" },
        { type: "image", mimeType: "image/png", data: PIXEL },
      ]),
    claims: [
      ["the model has it", ({ place }) => JSON.stringify(place.api.requests).includes(PIXEL)],
      ["its answer is told", ({ frames }) => tells(frames, "Seen.")],
    ],
  },
];

/** A PNG of one pixel. */
export const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
