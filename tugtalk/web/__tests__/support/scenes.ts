/** Claude's conversation in each state of the page, as a person has it. */
import { scenarioText } from "../../../simulator/scenarios.ts";
import {
  agentReply,
  agentResult,
  answered,
  asks,
  call,
  cutReply,
  failedResult,
  HOLD,
  opened,
  permission,
  reply,
  result,
  system,
  text,
  thought,
  turn,
} from "./scene-lines.ts";

const ANSWER = `The greeting is made in \`src/greet.ts\`, and **three** places use it:

| place | how it calls |
| --- | --- |
| \`src/main.ts\` | with the name of the user |
| \`src/mail.ts\` | with the name of the sender |
| \`test/greet.test.ts\` | with an empty name, too |

## What I would change

1. Take the hour as an argument, so that a test can choose it.
2. Say *good morning* before noon, and *good evening* after six.

\`\`\`ts
export function greet(name: string, hour: number): string {
  const part = hour < 12 ? "morning" : hour < 18 ? "day" : "evening";
  return \`Good \${part}, \${name || "stranger"}!\`;
}
\`\`\`

> The mail needs the hour of the _reader_, which the sender does not know.

See the [guide](https://example.com/guide) for the words in other languages.`;

/** A turn with an answer in Markdown. */
export const ANSWERED = turn(reply(thought("Where is the greeting made?"), text(ANSWER)));

/** The first half of an answer. */
export const STREAMING = [...opened(cutReply(11, text(ANSWER))), HOLD];

const THOUGHT = `The greeting is made in one place and used in three. The tests call it with an empty name,
so the fallback has to stay. If the hour becomes an argument, then every caller has to give one: the
main program has a clock, the mail does not. I could give it a default, but then a test that`;

export const THINKING = [...opened(cutReply(5, thought(THOUGHT))), HOLD];

const BASH = { command: "bun test --watch src", description: "Run the tests as files change" };

export const TOOL_RUNNING = [
  ...opened(reply(text("I run the tests while I edit."), call("$toolu_1", "Bash", BASH))),
  HOLD,
];

const EDIT = {
  file_path: "/work/project/src/greet.ts",
  old_string: '  return "Hello, " + name;',
  new_string: "  return greetingOf(partOf(hour), name);",
};

const EDITED = {
  filePath: EDIT.file_path,
  oldString: EDIT.old_string,
  newString: EDIT.new_string,
  originalFile: "",
  structuredPatch: [
    {
      oldStart: 3,
      oldLines: 6,
      newStart: 3,
      newLines: 7,
      lines: [
        " ",
        " /** What is said to a person who comes. */",
        "-export function greet(name: string): string {",
        '-  return "Hello, " + name;',
        "+export function greet(name: string, hour: number): string {",
        "+  const part = partOf(hour);",
        "+  return greetingOf(part, name);",
        " }",
        " ",
      ],
    },
  ],
  userModified: false,
  replaceAll: false,
};

const TERMINAL = `\u001b[1msrc/greet.test.ts\u001b[0m
\u001b[32m✓\u001b[0m says good morning before noon \u001b[2m[1 ms]\u001b[0m
\u001b[32m✓\u001b[0m says good evening after six \u001b[2m[1 ms]\u001b[0m
\u001b[31m✗\u001b[0m greets a stranger \u001b[2m[2 ms]\u001b[0m
  \u001b[31mexpected\u001b[0m "Good day, stranger!"
  \u001b[33mreceived\u001b[0m "Good day, !"

 \u001b[32m2 pass\u001b[0m
 \u001b[31m1 fail\u001b[0m`;

const PICTURE =
  "iVBORw0KGgoAAAANSUhEUgAAAKAAAABaCAIAAACwpMoFAAABOklEQVR42u3bMXXEMABEQSNRHRAGcbWRCInqgDCI1EJ0COLCv519n8HUexzHfN0InaErNEMrdId26AAMGDBgwIABAwYMGDBgwIABAwYMGDBgwIABAwYMGDBgwIABAwYM+AH4Z75uhM7QFZqhFbpDOwQYMGDAgAEDBgwYMGDAgAEDBgwYMGDAgAEDBgwY8BPwZ75uhM7QFZqhFbpDOwQYMGDAgAEDBgwYMGDAgAEDBgwYMGDAgAEDBgwY8BNwOFSO0Bm6QmUrdId2CDBgwIABAwYMGDBgwIABAwYMGDBgwIABAwYMGDDgJ+Df+boROkNXaIZW6A7tEGDAgAEDBgwYMGDAgAEDBgwYMGDAgAEDBgwYMGDAT8B/83UjdIau0Ayt0B3aIcCAAQMGDBgwYMCAAQMGDBgwYMCAAQMGDBgwYMCA/+8LIM9tagbTQ+kAAAAASUVORK5CYII=";

const IMAGE = {
  type: "image",
  source: { type: "base64", data: PICTURE, media_type: "image/png" },
};

const READS = ["greet.ts", "main.ts", "mail.ts"].map((name, at) => {
  const id = `$toolu_90${at}`;
  return [
    call(id, "Read", { file_path: `/work/project/src/${name}` }),
    result(id, `1\timport { greet } from "./greet.ts";\n2\t\n3\tgreet("Ada");\n`),
  ] as const;
});

/** A turn with a card of each kind that people see often. */
export const TOOLS = turn(
  reply(text("I read how it is used."), ...READS.map(([block]) => block)),
  ...READS.map(([, line]) => line),
  reply(thought("One place to change."), call("$toolu_911", "Edit", EDIT)),
  result("$toolu_911", "The file has been updated successfully.", EDITED),
  reply(call("$toolu_912", "Bash", { command: "bun test --colors", description: "Run the tests" })),
  result("$toolu_912", TERMINAL, { stdout: TERMINAL, stderr: "", interrupted: false }),
  reply(call("$toolu_913", "Read", { file_path: "/work/project/doc/colours.png" })),
  result("$toolu_913", [IMAGE]),
  reply(call("$toolu_914", "Bash", { command: "bun run lint", description: "Check the style" })),
  failedResult("$toolu_914", "Exit code 1\nsrc/greet.ts:4:3 unused variable"),
  reply(text("Two tests pass. The third shows that an empty name needs its fallback again.")),
);

const REMOVE = { command: "rm -rf build && bun run build", description: "Build from nothing" };

const SUGGESTIONS = [
  {
    type: "addRules",
    rules: [{ toolName: "Bash", ruleContent: "bun run build" }],
    behavior: "allow",
    destination: "localSettings",
  },
  { type: "setMode", mode: "acceptEdits", destination: "session" },
];

const ASKED = permission("$toolu_1", "Bash", REMOVE, {
  display_name: "Bash",
  description: REMOVE.description,
  permission_suggestions: SUGGESTIONS,
});

/** A turn that asks for a permission, then says whether it had it. */
export const PERMISSION = turn(
  reply(text("I build it anew."), call("$toolu_1", "Bash", REMOVE)),
  asks("$uuid_1", ASKED),
  answered("$uuid_1"),
  result("$toolu_1", "Built in 214 ms", { stdout: "Built in 214 ms", stderr: "" }),
  reply(text("The build is done.")),
);

export const QUESTION = turnOf("questions", 2);
export const PLAN = turnOf("plan", 0);
export const FORM = turnOf("forms", 0);
export const DIALOG = turnOf("dialog", 0);

const NESTED = turnOf("subagents", 2);

/** An agent that has started another, which still works. */
export const SUBAGENTS = [...NESTED.slice(0, NESTED.findIndex(isPause)), HOLD];

const TASK = { task_id: "atask1", task_type: "local_agent", description: "Read the history" };
const AGENT = { description: TASK.description, prompt: "Who wrote the greeting?" };
const SERVE = { command: "bun run serve", description: "Serve the page", run_in_background: true };
const SERVER = { task_id: "btask2", task_type: "local_bash", description: SERVE.description };

const IN_BACKGROUND = turn(
  reply(
    text("Both can go on while we talk."),
    call("$toolu_1", "Agent", { ...AGENT, subagent_type: "Explore", run_in_background: true }),
    call("$toolu_2", "Bash", SERVE),
  ),
  system("background_tasks_changed", { tasks: [TASK, SERVER] }),
  system("task_started", { ...TASK, tool_use_id: "$toolu_1", is_backgrounded: true }),
  system("task_started", { ...SERVER, tool_use_id: "$toolu_2", is_backgrounded: true }),
  result("$toolu_1", "Async agent launched successfully."),
  result("$toolu_2", "Command running in background with ID: btask2."),
  reply(text("The agent reads, and the page is served. What else?")),
);

/** Work that goes on after the turn. */
export const BACKGROUND = [...IN_BACKGROUND, HOLD];

const LOG = { command: "git log --oneline src/greet.ts", description: "Read the history" };

/** The agent in the background asks while no turn runs. */
export const BACKGROUND_ASKING = [
  ...IN_BACKGROUND,
  agentReply("$toolu_1", call("$toolu_3", "Bash", LOG)),
  asks("$uuid_1", { ...permission("$toolu_3", "Bash", LOG), agent_id: TASK.task_id }),
  answered("$uuid_1"),
  agentResult("$toolu_1", "$toolu_3", "1a2b3c4 Add the greeting"),
  HOLD,
];

export const COMPACTING = [
  ...ANSWERED,
  ...opened(system("status", { status: "compacting", compact_output_chars: 1200 })),
  HOLD,
];

/** The API fails to the end. */
export const FAILING = turnOf("errors", 1);

/** Claude dies in the middle of an answer. */
export const DYING = [
  ...opened(cutReply(6, text(ANSWER))),
  { dir: "err", msg: "Segmentation fault\n" },
  { dir: "exit", msg: { code: 139, signal: null } },
];

/** Claude does not start at all. */
export const START_FAILURE = entriesOf("start-failure");

/** Three turns that fill the panels: changes, tasks and an answer. */
export const RICH = [...TOOLS, ...turnOf("tasks", 0), ...ANSWERED];

/** Many short turns. */
export const LONG = Array.from({ length: 40 }, (_, at) =>
  turn(
    reply(
      text(
        `Answer ${at + 1}.\n\nThe ${at + 1}th step is done: \`step-${at + 1}.ts\` has its test.`,
      ),
    ),
  ),
).flat();

function entriesOf(scenario: string): readonly object[] {
  const [, ...lines] = scenarioText(scenario).trim().split("\n");
  return lines.map((line): object => JSON.parse(line));
}

/** One turn of a scenario of the simulator, counted from 0. */
function turnOf(scenario: string, index: number): readonly object[] {
  const entries = entriesOf(scenario);
  const starts = entries.flatMap((entry, at) => (isUser(entry) ? [at] : []));
  return entries.slice(starts[index], starts[index + 1]);
}

function isUser(entry: object): boolean {
  return JSON.stringify(entry).startsWith('{"dir":"in","msg":{"type":"user"');
}

function isPause(entry: object): boolean {
  return "dir" in entry && entry.dir === "pause";
}
