/** The session around the transcript: conversations, costs, settings and tasks. Made-up messages. */
import { describe, expect, test } from "bun:test";
import type { OtherMessage, SessionInput } from "../../session-input.ts";
import { entriesOf, reduced } from "./reduced.ts";

const TURN = { type: "turn_started", turn_id: "t", message_ids: ["x"], trigger: "user" };
const REMARK = { type: "informational", content: "a remark", level: "info" };

function init(session_id: string, mode: string): OtherMessage {
  return { type: "session_init", session_id, mode };
}

describe("conversations", () => {
  const talked = reduced([init("one", "new"), REMARK, TURN]);

  test.each(["new", "resume", "continue", "clear"])(
    "another conversation by %s starts an empty transcript, in which an open turn goes on",
    (mode) => {
      const state = reduced([init("two", mode)], talked);
      expect(state.sessionId).toBe("two");
      expect(entriesOf(state)).toMatchObject([
        {
          turnId: "t",
          items: [
            { notice: { kind: "session", mode, sessionId: "two", previousSessionId: "one" } },
          ],
        },
      ]);
    },
  );

  test("a fork keeps the transcript", () => {
    expect(entriesOf(reduced([init("two", "fork")], talked))).toHaveLength(2);
  });

  test("a restart of the same conversation changes nothing in the transcript", () => {
    const state = reduced([init("one", "resume")], talked);
    expect(state.entries).toBe(talked.entries);
    expect(state.openEntries).toBe(talked.openEntries);
  });

  test("another conversation has nothing that was said of the one before", () => {
    const known = {
      ...talked,
      taskList: { tasks: [{ id: "1", subject: "A task", status: "pending", blockedBy: [] }] },
      title: "One",
      contextUsage: {},
      promptSuggestion: "Go on",
      activeGoal: { condition: "All is done" },
      before: "k",
    };
    const { taskList, ...state } = reduced([init("two", "new")], known);
    expect(taskList).toEqual({ tasks: [] });
    const left = ["title", "contextUsage", "promptSuggestion", "activeGoal", "before"];
    expect(Object.keys(state).filter((name) => left.includes(name))).toEqual([]);
  });
});

describe("costs", () => {
  const cost = (turn_id: string, fields: object) => ({ type: "cost_update", turn_id, ...fields });

  test("the session's costs are the sum of its turns, over several processes", () => {
    const state = reduced([
      cost("a", { total_cost_usd: 1, turn_cost_usd: 1 }),
      cost("b", { total_cost_usd: 3, turn_cost_usd: 2 }),
      // A resumed process of an old CLI: the total starts at 0, and the first share is not known.
      cost("c", { total_cost_usd: 4 }),
      cost("d", { total_cost_usd: 4.5, turn_cost_usd: 0.5 }),
    ]);
    expect(state.cost.totalCostUsd).toBe(7.5);
    expect(state.cost.latest).toMatchObject({ turn_id: "d" });
  });

  test("a turn has its own costs and tokens", () => {
    const cached = { cache_read_input_tokens: 3, cache_creation_input_tokens: 2 };
    const usage = { input_tokens: 10, output_tokens: 5, ...cached };
    const update = cost("t", { turn_cost_usd: 0.25, duration_ms: 90, num_turns: 2, usage });
    expect(entriesOf(reduced([TURN, update]))).toMatchObject([
      {
        cost: {
          costUsd: 0.25,
          durationMs: 90,
          numTurns: 2,
          inputTokens: 10,
          outputTokens: 5,
          cacheReadTokens: 3,
          cacheCreationTokens: 2,
        },
      },
    ]);
  });
});

describe("settings", () => {
  const metadata = {
    type: "system_metadata",
    session_id: "one",
    model: "big",
    permissionMode: "plan",
    tools: ["Bash", "mcp__my_tide__wait", "mcp__other__x"],
    mcp_servers: [{ name: "my tide", status: "connected" }, { status: "no name" }],
  };

  test("model and mode are the newest that is known", () => {
    expect(reduced([metadata])).toMatchObject({ model: "big", permissionMode: "plan" });
    const changes = [
      { type: "model_changed", model: null, source: "host" },
      { type: "permission_mode_changed", mode: "default", source: "host" },
    ];
    expect(reduced(changes, reduced([metadata]))).toMatchObject({
      model: null,
      permissionMode: "default",
    });
  });

  test("each MCP server has the tools whose names begin with its own", () => {
    expect(reduced([metadata]).mcpServers).toEqual([
      { name: "my tide", status: "connected", tools: ["mcp__my_tide__wait"] },
    ]);
  });

  test("the answer to mcp_status has the newest state of the servers", () => {
    const response = { mcpServers: [{ name: "my tide", status: "failed" }] };
    const answer = { type: "control_result", subtype: "mcp_status", ok: true, response };
    expect(reduced([metadata, answer]).mcpServers).toMatchObject([{ status: "failed" }]);
  });

  test("an answer that only its asker needs, for example the content of a file, is not kept", () => {
    const answer = { type: "control_result", subtype: "read_file", response: { contents: "a" } };
    expect(reduced([{ ...answer, ok: true }]).controlResponses).toEqual({});
  });

  test("only successful answers are kept, by subtype", () => {
    const answer = { type: "control_result", subtype: "get_settings", response: { a: 1 } };
    expect(reduced([{ ...answer, ok: true }]).controlResponses).toEqual({ get_settings: { a: 1 } });
    expect(reduced([{ ...answer, ok: false }]).controlResponses).toEqual({});
  });

  test("changed commands replace those of the start", () => {
    const state = reduced([
      { type: "session_capabilities", commands: [{ name: "old" }], login: "api_key" },
      { type: "commands_changed", commands: [{ name: "new", description: null }] },
    ]);
    expect(state.capabilities).toMatchObject({ commands: [{ name: "new" }], login: "api_key" });
  });

  test("a suggestion for the next message is gone when a turn starts", () => {
    const suggested = reduced([{ type: "prompt_suggestion", suggestion: "Go on." }]);
    expect(suggested.promptSuggestion).toBe("Go on.");
    expect(reduced([TURN], suggested)).not.toHaveProperty("promptSuggestion");
  });

  test("a host's own data of the session are shown, and the title that Claude gives", () => {
    const event: SessionInput = { type: "session_changed", title: "Weir", state: "disconnected" };
    const state = reduced([event]);
    expect(state).toMatchObject({ title: "Weir", status: "disconnected" });
    const renamed = { type: "session_title_changed", title: "Heron" };
    expect(reduced([renamed], state).title).toBe("Heron");
    expect(reduced([{ ...renamed, title: null }], state)).not.toHaveProperty("title");
  });
});

describe("background tasks", () => {
  const tasks = Array.from({ length: 30 }, (_, index) => ({
    type: "task_started",
    task_id: `task-${index}`,
  }));

  test("tasks that ended first are forgotten, running ones are not", () => {
    const ends = tasks.slice(1).map(({ task_id }) => ({
      type: "task_updated",
      task_id,
      patch: { status: "completed" },
    }));
    const { backgroundTasks } = reduced([...tasks, ...ends]);
    expect(backgroundTasks).toHaveLength(21);
    expect(backgroundTasks[0]).toMatchObject({ taskId: "task-0", status: "running" });
    expect(backgroundTasks[1]).toMatchObject({ taskId: "task-10" });
  });

  test("tasks that ended with their process are forgotten too", () => {
    const exit = { exit_code: 0, signal: null, expected: true, stderr_tail: "" };
    const ended = { type: "process_exit", ...exit, will_restart: false };
    const another = { type: "task_started", task_id: "another" };
    const { backgroundTasks } = reduced([...tasks, ended, another]);
    expect(backgroundTasks).toHaveLength(21);
    expect(backgroundTasks.at(-1)).toMatchObject({ taskId: "another", status: "running" });
  });
});
