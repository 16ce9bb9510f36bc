/**
 * The states of a session in which a host may end: the conversation of its Claude, and the steps of a client
 * to the state. The bridge is real, Claude is the stand-in.
 */

import {
  blockDelta,
  blockStart,
  messageStart,
  toolBlock,
} from "../../../simulator/stream-events.ts";
import type { Fields } from "../../../src/base/json.ts";
import { HELD, QUESTIONING } from "../../../testing/drivers/bridge-states.ts";
import {
  type FaultControlServer,
  openFaultControl,
} from "../../../testing/drivers/controlled-claude.ts";
import type { NewTestSession, TestHostSession } from "../../../testing/drivers/host-process.ts";
import { byEvents, bySocket, JournalFollower } from "../../../testing/drivers/journal-follower.ts";
import {
  ASKING,
  asks,
  event,
  HOLD,
  OPENING,
  out,
  RESULT,
  SESSION,
  says,
} from "../../../testing/drivers/written-conversation.ts";

/** A session with two clients that follow it. */
export type FollowedSession = {
  readonly session: TestHostSession;
  readonly followers: readonly [JournalFollower, JournalFollower];
};

/** A session in a state. */
export type ReachedSession = FollowedSession & {
  /** Messages that the bridge has and has not finished. Claude may have read them. */
  readonly inFlight: Said[];
  /** Messages in the host's queue. */
  readonly waiting: Said[];
  readonly control: FaultControlServer;
};

/** A message of the user, and its text with attachments as Claude gets it. */
type Said = { readonly id: string; readonly text: string; readonly heard: string };

type TextAttachment = {
  readonly filename: string;
  readonly content: string;
  readonly media_type: string;
};

export type SessionState = {
  readonly name: string;
  readonly conversation?: readonly object[];
  /** The stand-in takes orders, and answers nothing before the order `listen`. */
  readonly takesOrders?: true;
  readonly fields?: Fields;
  /** How many prompts are open. */
  readonly prompts?: number;
  readonly reach: (reached: ReachedSession) => Promise<unknown>;
};

const system = (fields: object) =>
  out({ type: "system", session_id: SESSION, uuid: "$new", ...fields });
const HALF_A_CALL: readonly object[] = [
  ...OPENING,
  event(messageStart("m")),
  event(blockStart(0, toolBlock("tool1", "Bash"))),
  event(blockDelta(0, { type: "input_json_delta", partial_json: '{"comm' })),
  HOLD,
];

const BASH = toolBlock("tool1", "Bash", { command: "sleep 600" });
const TOOL: readonly object[] = [...OPENING, says("m", BASH), HOLD];

const COMPACTING: readonly object[] = [
  ...OPENING,
  system({ subtype: "status", status: "compacting" }),
  HOLD,
];

const ASKED: readonly object[] = [...ASKING.slice(0, 4), HOLD];
const QUESTIONED: readonly object[] = [...QUESTIONING.slice(0, 4), HOLD];
const FORM = {
  subtype: "elicitation",
  mcp_server_name: "orders",
  message: "What?",
  mode: "form",
  requested_schema: { type: "object", properties: {} },
};
const FORMED: readonly object[] = [...OPENING, asks("form1", FORM), HOLD];
const DIALOG = { subtype: "request_user_dialog", dialog_kind: "kind", payload: {} };
const DIALOGUE: readonly object[] = [...OPENING, asks("dialog1", DIALOG), HOLD];

const TASK = { task_id: "task1", task_type: "local_bash", description: "a task" };
const BACKGROUND: readonly object[] = [
  ...OPENING,
  says("m", { ...BASH, input: { ...BASH.input, run_in_background: true } }),
  system({ subtype: "background_tasks_changed", tasks: [TASK] }),
  system({ subtype: "task_started", ...TASK, tool_use_id: "tool1", is_backgrounded: true }),
  out({ ...RESULT, uuid: "$new" }),
  HOLD,
];

/** Sends a message and records its status at the host. */
export async function say(
  reached: ReachedSession,
  text: string,
  fields: { readonly attachments?: readonly TextAttachment[]; readonly delivery?: "now" } = {},
): Promise<string> {
  const { attachments = [] } = fields;
  const { status, body } = await reached.session.message(text, fields);
  const heard = [text, ...attachments.map(({ content }) => content)].join("");
  const said = { id: String(body["message_id"]), text, heard };
  if (status === 200) reached.inFlight.push(said);
  else if (status === 202) reached.waiting.push(said);
  else throw new Error(`${status}: ${JSON.stringify(body)}`);
  return said.id;
}

/** Sends a message and waits for an entry in both clients. */
function afterMessage(type: string, fits: (data: Fields) => boolean = () => true) {
  return async (reached: ReachedSession) => {
    await say(reached, "first");
    await both(reached, type, fits);
  };
}

async function both(
  { followers }: ReachedSession,
  type: string,
  fits: (data: Fields) => boolean = () => true,
): Promise<void> {
  await Promise.all(
    followers.map((follower) => follower.next(({ t, d }) => t === type && fits(d))),
  );
}

const isPartial = ({ status }: Fields) => status === "partial";
const isStreaming = ({ status }: Fields) => status === "streaming";

async function listen({ control }: ReachedSession) {
  const claude = await control.first;
  await claude.apply({ order: "listen" });
  return claude;
}

async function queued(reached: ReachedSession): Promise<void> {
  await afterMessage("assistant_text", isPartial)(reached);
  const attachments = [{ filename: "a.txt", content: "an attachment", media_type: "text/plain" }];
  await say(reached, "second", { attachments });
  await say(reached, "third");
  await both(reached, "message_queued", ({ message }) => message === "third");
}

/** Claude answers nothing any more. The host's next answer shows that it has sent the interrupt. */
async function interrupted(reached: ReachedSession): Promise<void> {
  const claude = await listen(reached);
  await afterMessage("assistant_text", isPartial)(reached);
  await claude.apply({ order: "hang", isDeaf: false });
  const { host, id } = reached.session;
  const socket = await host.socket();
  // The host ends before it answers.
  void socket.run("interrupt", { s: id }).catch(() => undefined);
  await socket.run("queue", { s: id });
}

/** Claude does not answer the interrupt that makes room for the message. */
async function replaced(reached: ReachedSession): Promise<void> {
  const claude = await listen(reached);
  await afterMessage("assistant_text", isPartial)(reached);
  await claude.apply({ order: "hang", isDeaf: false });
  await say(reached, "now", { delivery: "now" });
}

export const SESSION_STATES: readonly SessionState[] = [
  { name: "starting", takesOrders: true, reach: (reached) => say(reached, "first") },
  {
    name: "idle",
    reach: async (reached) => {
      await afterMessage("turn_complete")(reached);
      await both(reached, "session_state", ({ state }) => state === "idle");
      reached.inFlight.pop();
    },
  },
  {
    name: "streaming a text",
    conversation: HELD,
    reach: afterMessage("assistant_text", isPartial),
  },
  {
    name: "streaming the input of a tool",
    conversation: HALF_A_CALL,
    reach: afterMessage("tool_use", isStreaming),
  },
  {
    name: "running a tool",
    conversation: TOOL,
    takesOrders: true,
    reach: async (reached) => {
      const claude = await listen(reached);
      await afterMessage("tool_use")(reached);
      await claude.runTool();
    },
  },
  {
    name: "asking for a permission",
    conversation: ASKED,
    prompts: 1,
    reach: afterMessage("control_request_forward"),
  },
  {
    name: "asking a question",
    conversation: QUESTIONED,
    prompts: 1,
    reach: afterMessage("control_request_forward"),
  },
  {
    name: "showing a form",
    conversation: FORMED,
    prompts: 1,
    reach: afterMessage("elicitation_request"),
  },
  {
    name: "showing a dialog",
    conversation: DIALOGUE,
    fields: { options: { dialogs: ["kind"] } },
    prompts: 1,
    reach: afterMessage("dialog_request"),
  },
  { name: "working with messages in the queue", conversation: HELD, reach: queued },
  { name: "being interrupted", conversation: HELD, takesOrders: true, reach: interrupted },
  {
    name: "being interrupted for a message that is sent now",
    conversation: HELD,
    takesOrders: true,
    reach: replaced,
  },
  {
    name: "compacting",
    conversation: COMPACTING,
    reach: afterMessage("session_state", ({ state }) => state === "compacting"),
  },
  {
    name: "idle with a task in the background",
    conversation: BACKGROUND,
    reach: async (reached) => {
      await afterMessage("turn_complete")(reached);
      await both(reached, "session_state", ({ state }) => state === "idle");
      reached.inFlight.pop();
    },
  },
];

/** Creates a session with `create` and brings it into the state. */
export async function reachState(
  state: SessionState,
  create: (session: NewTestSession) => Promise<TestHostSession>,
): Promise<ReachedSession> {
  const control = openFaultControl();
  const { conversation, fields, takesOrders } = state;
  const session = await create({
    ...fields,
    ...(conversation !== undefined && { conversation }),
    ...(takesOrders && { claudeEnv: control.env }),
  });
  const followers = [new JournalFollower(bySocket), new JournalFollower(byEvents)] as const;
  const reached: ReachedSession = {
    session,
    followers: [...followers],
    inFlight: [],
    waiting: [],
    control,
  };
  await connectAll(reached);
  await state.reach(reached);
  return reached;
}

/** Connects both clients, each after its last entry. */
export async function connectAll({ session, followers }: FollowedSession): Promise<void> {
  const { host, id } = session;
  const address = { url: host.url, authorization: host.authorization, id };
  await Promise.all(followers.map((follower) => follower.connect(address)));
}
