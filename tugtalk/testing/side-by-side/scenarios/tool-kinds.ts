/** A call of each kind that Claude has a tool for. None of its tools removes or moves files but a command. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ToolKind } from "@agentclientprotocol/sdk";
import type { Fields } from "../../../src/base/json.ts";
import type { Reply } from "../../../simulator/reply.ts";
import { callTool } from "../../real/real-replies.ts";
import type { Claim, Place, Scenario } from "../scenario.ts";
import { callsIn, countOf, diffsIn, endsIn, firstCall, tells } from "../told.ts";

type Call = {
  readonly name: string;
  readonly kind: ToolKind;
  readonly tool: string;
  readonly input: (place: Place) => Fields;
  /** Calls before it. */
  readonly after?: (place: Place) => readonly Reply[];
  /** Files that must be there. */
  readonly prepare?: (place: Place) => void;
  readonly end?: "completed" | "failed";
  readonly claims?: readonly Claim[];
};

/** A row with one call. A tool whose description Claude holds back is called like the others. */
function called({ name, kind, tool, input, after, prepare, end = "completed", claims = [] }: Call): Scenario {
  return {
    name,
    api: (place) => {
      prepare?.(place);
      return [...(after?.(place) ?? []), callTool(tool, input(place)), "Done."];
    },
    play: (stage) => stage.prompt("do it"),
    claims: [
      [
        `its kind is ${kind}`,
        ({ frames }) => lastCall(frames).fields["kind"] === kind,
      ],
      [
        `it has ${end}`,
        ({ frames }) => lastCall(frames).statuses.at(-1) === end,
      ],
      ["the turn ends", ({ frames }) => endsIn(frames).join() === "end_turn"],
      ...claims,
    ],
  };
}

function lastCall(frames: Parameters<typeof callsIn>[0]) {
  return [...callsIn(frames).values()].at(-1) ?? firstCall([]);
}

const inProject = ({ home }: Place, name: string) => join(home.project, name);

export const TOOL_KINDS: readonly Scenario[] = [
  called({
    name: "a file written",
    kind: "edit",
    tool: "Write",
    input: (place) => ({ file_path: inProject(place, "new.txt"), content: "one\n" }),
    claims: [
      [
        "the diff says that the file is new",
        ({ frames }) =>
          diffsIn(frames).length > 0 &&
          diffsIn(frames).every(({ oldText, newText }) => (oldText ?? null) === null && newText === "one\n"),
      ],
    ],
  }),
  called({
    name: "a notebook edited",
    kind: "edit",
    tool: "NotebookEdit",
    input: (place) => ({ notebook_path: inProject(place, "a.ipynb"), new_source: "2 + 2", cell_id: "a" }),
    prepare: (place) => {
      const cell = { cell_type: "code", id: "a", metadata: {}, source: "1 + 1", outputs: [], execution_count: null };
      const notebook = { cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 5 };
      writeFileSync(inProject(place, "a.ipynb"), JSON.stringify(notebook));
    },
    after: (place) => [callTool("Read", { file_path: inProject(place, "a.ipynb") })],
  }),
  called({
    name: "files moved and removed by a command",
    kind: "execute",
    tool: "Bash",
    input: () => ({ command: "mv one.txt two.txt && rm two.txt && ls" }),
    prepare: (place) => writeFileSync(inProject(place, "one.txt"), "one\n"),
  }),
  called({
    name: "a command that fails",
    kind: "execute",
    tool: "Bash",
    input: () => ({ command: "echo so far; exit 3" }),
    end: "failed",
    claims: [
      ["its output is told", ({ frames }) => tells(frames, "so far")],
      ["its exit code is told", ({ frames }) => /[Ee]xit code:? 3/.test(JSON.stringify(frames))],
    ],
  }),
  called({
    name: "a search for tools",
    kind: "search",
    tool: "ToolSearch",
    input: () => ({ query: "select:WebFetch", max_results: 1 }),
    claims: [
      [
        "what it has found is told",
        ({ frames }) => JSON.stringify(lastCall(frames).contents).includes("WebFetch"),
      ],
    ],
  }),
  called({
    name: "a page fetched that cannot be reached",
    kind: "fetch",
    tool: "WebFetch",
    input: () => ({ url: "https://example.invalid/", prompt: "What is it?" }),
    end: "failed",
    claims: [["the address is told", ({ frames }) => tells(frames, "https://example.invalid/")]],
  }),
  called({
    name: "a search of the web",
    kind: "fetch",
    tool: "WebSearch",
    input: () => ({ query: "herons at weirs" }),
  }),
  called({
    name: "the way into plan mode",
    kind: "switch_mode",
    tool: "EnterPlanMode",
    input: () => ({}),
    claims: [
      ["the mode is told", ({ frames }) => countOf(frames, "current_mode_update") === 1],
    ],
  }),
  called({
    name: "a skill",
    kind: "other",
    tool: "Skill",
    input: () => ({ skill: "herons" }),
    prepare: ({ home }) => {
      const folder = join(home.configDir, "skills", "herons");
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, "SKILL.md"), "---\nname: herons\ndescription: Counts herons.\n---\nCount.\n");
    },
  }),
];
