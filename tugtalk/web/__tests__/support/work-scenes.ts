/** Conversations of Claude that show its work: lists of tasks, agents, and work in the background. */
import {
  agentReply,
  agentResult,
  call,
  HOLD,
  opened,
  reply,
  result,
  system,
  text,
} from "./scene-lines.ts";

const NAMES = ["Read the sources", "Write the greeting", "Run all tests"];

const MADE = NAMES.map((subject, at) => {
  const id = `$toolu_70${at}`;
  const task = { id: String(at + 1), subject };
  return [
    call(id, "TaskCreate", { subject, description: `${subject}.`, activeForm: `${subject}…` }),
    result(id, `Task #${at + 1} created successfully: ${subject}`, { task }),
  ] as const;
});

function changed(at: number, taskId: string, status: string): readonly object[] {
  const id = `$toolu_71${at}`;
  return [
    reply(call(id, "TaskUpdate", { taskId, status })),
    result(id, `Updated task #${taskId} status`, {
      success: true,
      taskId,
      updatedFields: ["status"],
    }),
  ];
}

/** A list of three tasks: one is done, one is worked at. */
export const LISTED = [
  reply(text("I make a list."), ...MADE.map(([block]) => block)),
  ...MADE.map(([, line]) => line),
  ...changed(0, "1", "in_progress"),
  ...changed(1, "1", "completed"),
  ...changed(2, "2", "in_progress"),
];

const LOOK = { task_id: "atask7", tool_use_id: "$toolu_720", description: "Look at the sources" };

/** An agent that has done one step and is at its second, beside a command. */
const AT_WORK = [
  reply(
    text("An agent shall look."),
    call("$toolu_720", "Agent", {
      description: LOOK.description,
      prompt: "Find where the greeting is made, and **who** uses it.",
      subagent_type: "Explore",
    }),
    call("$toolu_730", "Bash", { command: "bun test --watch src" }),
  ),
  system("task_started", {
    ...LOOK,
    subagent_type: "Explore",
    is_backgrounded: false,
    task_type: "local_agent",
  }),
  agentReply("$toolu_720", call("$toolu_721", "Grep", { pattern: "greet" })),
  agentResult("$toolu_720", "$toolu_721", "src/greet.ts"),
  agentReply(
    "$toolu_720",
    call("$toolu_722", "Bash", { command: "git log --oneline src/greet.ts" }),
  ),
  system("task_progress", {
    ...LOOK,
    description: "Reading the history",
    last_tool_name: "Bash",
    usage: { total_tokens: 9_000, tool_uses: 2, duration_ms: 14_000 },
  }),
];

/** A list of tasks, an agent and a command, which go on. */
export const WORKING = [...opened(...LISTED, ...AT_WORK), HOLD];

const REPORT = `## The history

**Ada** wrote the greeting in \`src/greet.ts\`, and two others changed it:

| who | when |
| --- | --- |
| Ada | 2024 |
| Grace | 2025 |

1. The hour is not used.
2. A stranger has no name.`;

const READER = { task_id: "atask8", tool_use_id: "$toolu_740" };

/** An agent in the background that reports after its turn, and a command that fails. */
export const REPORTED = [
  ...opened(
    reply(
      text("Both go on while we talk."),
      call("$toolu_740", "Agent", {
        description: "Read the history",
        prompt: "Who wrote the greeting?",
        subagent_type: "Explore",
        run_in_background: true,
      }),
      call("$toolu_741", "Bash", { command: "make release", run_in_background: true }),
    ),
    system("task_started", {
      ...READER,
      description: "Read the history",
      is_backgrounded: true,
      task_type: "local_agent",
    }),
    system("task_started", {
      task_id: "btask8",
      tool_use_id: "$toolu_741",
      description: "make release",
      is_backgrounded: true,
      task_type: "local_bash",
    }),
    result("$toolu_740", "Async agent launched successfully.", { status: "async_launched" }),
    result("$toolu_741", "Command running in background with ID: btask8."),
    reply(text("What else?")),
  ),
  { dir: "end", msg: {} },
  agentReply("$toolu_740", call("$toolu_742", "Bash", { command: "git log src/greet.ts" })),
  agentResult("$toolu_740", "$toolu_742", "1a2b3c4 Add the greeting"),
  system("task_notification", {
    task_id: "btask8",
    tool_use_id: "$toolu_741",
    status: "failed",
    output_file: "/tmp/btask8.output",
    summary: 'Background command "make release" failed with exit code 2',
  }),
  system("task_notification", {
    ...READER,
    status: "completed",
    output_file: "/tmp/atask8.output",
    summary: REPORT,
    summary_is_report: true,
    usage: { total_tokens: 12_000, tool_uses: 3, duration_ms: 64_000 },
  }),
  HOLD,
];
