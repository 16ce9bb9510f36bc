/** Tool calls: their start, their changes, and their results. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { callTool } from "../../real/real-replies.ts";
import { mcpServer } from "../../real/mcp-server.ts";
import { choosing } from "../answering.ts";
import type { Place, Scenario } from "../scenario.ts";
import { callsIn, diffsIn, endsIn, firstCall, optionsIn, tells } from "../told.ts";
import { PIXEL } from "./texts.ts";

const fileIn = ({ home }: Place, name: string) => join(home.project, name);

const FORWARD = "pending,in_progress,completed";

export const TOOLS: readonly Scenario[] = [
  {
    name: "a command",
    api: () => [callTool("Bash", { command: "echo one; echo two" }), "Done."],
    play: (stage) => stage.prompt("run it"),
    claims: [
      [
        "pending, in progress, completed",
        ({ frames }) => firstCall(frames).statuses.join() === FORWARD,
      ],
      ["its title is the command", ({ frames }) => titleHas(frames, "echo one")],
      ["its output is told", ({ frames }) => tells(frames, "one\ntwo")],
      ["its kind is execute", ({ frames }) => firstCall(frames).fields["kind"] === "execute"],
    ],
  },
  {
    name: "a file read and a search",
    api: (place) => {
      writeFileSync(fileIn(place, "read.txt"), "first\nsecond\n");
      return [
        {
          content: [
            { type: "tool_use", name: "Read", input: { file_path: fileIn(place, "read.txt") } },
            { type: "tool_use", name: "Bash", input: { command: "grep -n second read.txt" } },
          ],
        },
        "Done.",
      ];
    },
    play: (stage) => stage.prompt("read and search"),
    claims: [
      [
        "each goes forward to its end",
        ({ frames }) =>
          [...callsIn(frames).values()].every(({ statuses }) => statuses.join() === FORWARD),
      ],
      [
        "the file is a location",
        ({ frames, place }) =>
          JSON.stringify(firstCall(frames).fields["locations"]).includes(fileIn(place, "read.txt")),
      ],
      ["its text is told", ({ frames }) => tells(frames, "first")],
    ],
  },
  {
    name: "a file edited",
    api: (place) => {
      const file_path = fileIn(place, "edited.txt");
      writeFileSync(file_path, "one\ntwo\nthree\n");
      const edit = { file_path, old_string: "three\n", new_string: "3\n" };
      return [callTool("Read", { file_path }), callTool("Edit", edit), "Done."];
    },
    play: (stage) => stage.prompt("edit it"),
    claims: [
      [
        "the diff keeps the last line end",
        ({ frames }) =>
          diffsIn(frames).length > 0 &&
          diffsIn(frames).every(({ newText }) => String(newText).endsWith("3\n")),
      ],
      ["the turn ends", ({ frames }) => endsIn(frames).join() === "end_turn"],
    ],
  },
  {
    name: "a file overwritten",
    api: (place) => {
      const file_path = fileIn(place, "old.txt");
      writeFileSync(file_path, "old\n");
      return [
        callTool("Read", { file_path }),
        callTool("Write", { file_path, content: "new\n" }),
        "Done.",
      ];
    },
    play: (stage) => stage.prompt("overwrite it"),
    claims: [
      [
        "no diff says that the file is new",
        ({ frames }) =>
          diffsIn(frames).length > 0 && diffsIn(frames).every(({ oldText }) => oldText === "old\n"),
      ],
    ],
  },
  {
    name: "a permission denied",
    api: (place) => [
      callTool("Write", { file_path: fileIn(place, "no.txt"), content: "x\n" }),
      "Not written.",
    ],
    answering: choosing("reject_once"),
    play: (stage) => stage.prompt("write it"),
    claims: [
      ["the call has failed", ({ frames }) => firstCall(frames).statuses.at(-1) === "failed"],
      ["Claude goes on", ({ frames }) => tells(frames, "Not written.")],
      ["the turn ends", ({ frames }) => endsIn(frames).join() === "end_turn"],
    ],
  },
  {
    name: "a permission for always",
    api: () => [callTool("Bash", { command: "mkdir one" }), "Made."],
    answering: choosing("allow_always"),
    play: (stage) => stage.prompt("make it"),
    claims: [
      [
        "the words name the rule",
        ({ frames }) => alwaysNames(frames).some((name) => name.includes("mkdir")),
      ],
      [
        "and where it is kept",
        ({ frames }) => alwaysNames(frames).some((name) => /session|settings|project/i.test(name)),
      ],
    ],
  },
  {
    name: "a permission answered with an unknown option",
    api: () => [callTool("Bash", { command: "mkdir one" }), "Not made."],
    answering: ({ method }) =>
      method === "session/request_permission"
        ? { outcome: { outcome: "selected", optionId: "none-such" } }
        : undefined,
    play: (stage) => stage.prompt("make it"),
    claims: [
      ["the call has failed", ({ frames }) => firstCall(frames).statuses.at(-1) === "failed"],
      [
        "the refusal names the option that was not offered",
        ({ frames }) => tells(frames, "not offered"),
      ],
    ],
  },
  {
    name: "an image out",
    api: (place) => {
      const file_path = fileIn(place, "pixel.png");
      writeFileSync(file_path, Buffer.from(PIXEL, "base64"));
      return [callTool("Read", { file_path }), "Seen."];
    },
    play: (stage) => stage.prompt("look at it"),
    claims: [
      [
        "the client has the image",
        ({ frames }) =>
          firstCall(frames).contents.some((each) => JSON.stringify(each).includes('"image"')),
      ],
    ],
  },
  {
    name: "a tool of an MCP server",
    session: () => {
      const { command, args } = mcpServer();
      return { mcpServers: [{ name: "tide", command, args, env: [] }] };
    },
    api: () => [callTool("mcp__tide__level", { place: "Dover" }), "High."],
    play: (stage) => stage.prompt("how high?"),
    claims: [
      ["its result is told", ({ frames }) => tells(frames, "high at Dover")],
      ["its title is no raw name", ({ frames }) => !titleHas(frames, "mcp__")],
    ],
  },
  {
    name: "an image of an MCP server",
    session: () => {
      const { command, args } = mcpServer();
      return { mcpServers: [{ name: "tide", command, args, env: [] }] };
    },
    api: () => [callTool("mcp__tide__picture", { data: PIXEL }), "Seen."],
    play: (stage) => stage.prompt("show me"),
    claims: [
      [
        "the client has the image",
        ({ frames }) =>
          firstCall(frames).contents.some((each) => JSON.stringify(each).includes(PIXEL)),
      ],
    ],
  },
  {
    name: "an MCP server that does not start",
    capabilities: { session: { notices: {} } },
    session: () => ({
      mcpServers: [{ name: "broken", command: "/no/such/program", args: [], env: [] }],
    }),
    api: () => ["Hello."],
    play: (stage) => stage.prompt("hello"),
    claims: [
      ["the client is told", ({ frames }) => tells(frames, "broken")],
      ["the turn goes on", ({ frames }) => endsIn(frames).join() === "end_turn"],
    ],
  },
];

type Frames = Parameters<typeof firstCall>[0];

function titleHas(frames: Frames, text: string): boolean {
  return String(firstCall(frames).fields["title"]).includes(text);
}

function alwaysNames(frames: Frames): string[] {
  return optionsIn(frames).flatMap(({ kind, name }) =>
    kind === "allow_always" ? [String(name)] : [],
  );
}
