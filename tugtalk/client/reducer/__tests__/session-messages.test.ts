/** The session around the transcript: conversations, queue, costs, settings and tasks. Made-up messages. */
import { describe, expect, test } from "bun:test";
import type { OtherMessage, SessionInput } from "../../session-input.ts";
import { entriesOf, itemsOf, reduced } from "./reduced.ts";

const TURN = { type: "turn_started", turn_id: "t", message_ids: ["x"], trigger: "user" };
const REMARK = { type: "informational", content: "a remark", level: "info" };

function init(session_id: string, mode: string): OtherMessage {
  return { type: "session_init", session_id, mode };
}

function status(message_id: string, state: string, fields = {}): OtherMessage {
  return { type: "message_status", message_id, status: state, ...fields };
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

describe("the queue", () => {
  const queued = { type: "message-queued", message_id: "x", message: "Later." };

  test("a message is in the queue from its receipt or the host's event until it starts", () => {
    const state = reduced([queued, status("x", "queued"), status("y", "queued")]);
    expect(state.queue).toEqual([{ messageId: "x", text: "Later." }, { messageId: "y" }]);
    expect(reduced([status("x", "started")], state).queue).toEqual([{ messageId: "y" }]);
    expect(reduced([status("y", "cancelled")], state).queue).toHaveLength(1);
  });

  test("a message that the bridge has started is not queued when the host says that it was sent", () => {
    const started = [TURN, status("x", "started", { turn_id: "t" })];
    const sent = { type: "message-sent", message_id: "x", message: "Hi" };
    expect(reduced([...started, sent]).queue).toEqual([]);
    expect(reduced([sent]).queue).toEqual([{ messageId: "x", text: "Hi", isSent: true }]);
  });

  test("a turn has the time at which its message was sent", () => {
    const sent = { type: "message-sent", message_id: "x", message: "Hi", sent_at: 1_700 };
    const state = reduced([sent, { ...TURN, message_ids: ["x"] }]);
    expect(state.openEntries[0]).toMatchObject({ kind: "turn", sentAt: 1_700 });
  });

  const inQueue = (...changes: readonly object[]) => {
    const all = ["a", "b", "c"].map((id) => ({ ...queued, message_id: id, message: id }));
    const told = changes.map((change) => ({ type: "queue-changed", ...change }));
    const sent = { type: "message-sent", message_id: "s", message: "s" };
    return reduced([sent, ...all, ...told]).queue.map(({ text }) => text);
  };

  test("a change of a host's queue changes what it names, and leaves the rest", () => {
    const added = { message_id: "n", message: "n", queued_at: 1 };
    expect(inQueue({})).toEqual(["s", "a", "b", "c"]);
    expect(inQueue({ added: [added] })).toEqual(["s", "a", "b", "c", "n"]);
    expect(inQueue({ added: [{ ...added, before: "b" }], removed: ["b"] })).toEqual([
      "s",
      "a",
      "n",
      "c",
    ]);
    expect(inQueue({ removed: ["a", "x"] })).toEqual(["s", "b", "c"]);
    expect(inQueue({ edited: [{ message_id: "b", message: "B" }] })).toEqual(["s", "a", "B", "c"]);
    const moved = [
      { message_id: "c", before: "a" },
      { message_id: "x", before: "a" },
    ];
    expect(inQueue({ moved })).toEqual(["s", "c", "a", "b"]);
  });

  test("what was sent is before all that waits", () => {
    expect(inQueue()).toEqual(["s", "a", "b", "c"]);
    const state = reduced([queued, { type: "message-sent", message_id: "n", message: "n" }]);
    expect(state.queue.map(({ text }) => text)).toEqual(["n", "Later."]);
  });

  test("a message that comes back is kept until somebody takes it", () => {
    const attachments = [{ filename: "a.png", media_type: "image/png" }];
    const back = { ...queued, type: "message-returned", queued_at: 1, attachments };
    const state = reduced([queued, back]);
    const kept = { messageId: "x", text: "Later.", queuedAt: 1, files: ["a.png"] };
    expect(state).toMatchObject({ queue: [], returned: [kept] });
    expect(reduced([{ type: "message-taken", message_id: "y" }], state).returned).toEqual([kept]);
    expect(reduced([{ type: "message-taken", message_id: "x" }], state).returned).toEqual([]);
  });

  test("all that waits, as older hosts tell it, replaces what is known of it", () => {
    const event = { type: "queue-changed", queue: [{ message_id: "z", message: "Z" }] };
    expect(reduced([queued, event]).queue).toEqual([{ messageId: "z", text: "Z" }]);
  });

  test("a message that waits with attachments has their names", () => {
    const attachments = [{ filename: "a.png", media_type: "image/png" }];
    const state = reduced([{ ...queued, attachments }]);
    expect(state.queue).toEqual([{ messageId: "x", text: "Later.", files: ["a.png"] }]);
    const changed = {
      type: "queue-changed",
      queue: [{ message_id: "x", message: "", attachments }],
    };
    expect(reduced([changed], state).queue).toEqual([
      { messageId: "x", text: "", files: ["a.png"] },
    ]);
  });

  test("a message that was sent stays until it starts, whatever waits in the host's queue", () => {
    const sent = { type: "message-sent", message_id: "x" };
    const event = { type: "queue-changed", queue: [{ message_id: "z", message: "Z" }] };
    const state = reduced([queued, sent, event]);
    expect(state.queue).toEqual([
      { messageId: "x", text: "Later.", isSent: true },
      { messageId: "z", text: "Z" },
    ]);
    expect(reduced([status("x", "started")], state).queue).toEqual([{ messageId: "z", text: "Z" }]);
  });

  test("a host's queue is held from the event that says so until the next one that does not", () => {
    const event = { type: "queue-changed", queue: [{ message_id: "x", message: "Later." }] };
    const held = reduced([queued, { ...event, held: true }]);
    expect(held.isQueueHeld).toBe(true);
    expect(held.queue).toHaveLength(1);
    expect(reduced([event], held).isQueueHeld).toBe(false);
  });

  test("the item of a message has its receipt", () => {
    const said = { type: "user_text", turn_id: "t", message_id: "x", text: "Hi", kind: "host" };
    const state = reduced([TURN, status("x", "started", { turn_id: "t" }), said]);
    expect(itemsOf(state)).toMatchObject([{ key: "x", status: "started" }]);
    const ended = reduced([status("x", "completed", { turn_id: "t" })], state);
    expect(itemsOf(ended)).toMatchObject([{ key: "x", status: "completed" }]);
  });

  test("a message that failed before it started is told with its text", () => {
    expect(itemsOf(reduced([queued, status("x", "failed")]))).toMatchObject([
      { notice: { kind: "message", messageId: "x", status: "failed", text: "Later." } },
    ]);
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
    const usage = { input_tokens: 10, output_tokens: 5, cache_read_input_tokens: 3 };
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

  test("an answer for who asked, such as the content of a file, is not kept", () => {
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
    const event: SessionInput = { type: "session-changed", title: "Weir", state: "disconnected" };
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
