/** The main states of the page, and how to bring a session and a tab into each. */
import type { Page } from "playwright-core";
import type { TestBrowser } from "../../../testing/drivers/browser.ts";
import type {
  NewTestSession,
  TestHost,
  TestHostSession,
} from "../../../testing/drivers/host-process.ts";
import { LIMIT_STATES } from "./limit-states.ts";
import { Scene } from "./scene.ts";
import * as scenes from "./scenes.ts";
import { chooseItem } from "./shown.ts";
import { REPORTED, WORKING } from "./work-scenes.ts";

/** The view that a tab opens: a session by its id, or the board. */
export type Opened = { readonly sessionId?: string; readonly session?: TestHostSession };

export type PageState = {
  readonly name: string;
  /** Makes the sessions that the page shows. */
  readonly reach: (host: TestHost) => Promise<Opened>;
  /** The actions in a tab that has opened it. */
  readonly show?: Show;
};

type Show = (page: Page, browser: TestBrowser) => Promise<unknown>;

type Reach = (scene: Scene) => Promise<unknown>;

/** A state of one session: the conversation of its Claude, and the steps that reach the state. */
function ofSession(name: string, conversation: readonly object[], reach: Reach): PageState {
  return ofNewSession(name, { conversation }, reach);
}

function ofNewSession(name: string, options: NewTestSession, reach: Reach): PageState {
  return {
    name,
    reach: async (host) => {
      const scene = await Scene.open(host, options);
      await reach(scene);
      scene.close();
      return { sessionId: scene.session.id, session: scene.session };
    },
  };
}

/** Sends a message and waits for an event. */
function after(message: string, type: string, fits?: Parameters<Scene["until"]>[1]): Reach {
  return async (scene) => {
    await scene.say(message);
    await scene.until(type, fits);
  };
}

const isPartial = ({ status }: Readonly<Record<string, unknown>>) => status === "partial";

const streamed = after("Where is the greeting made?", "assistant_text", isPartial);

async function queued(scene: Scene): Promise<void> {
  await streamed(scene);
  await scene.say("Then write the change.\nWith a test, please.");
  await scene.say("And run all tests.");
  await scene.until("message_queued", ({ message }) => message === "And run all tests.");
}

/** The host is started again while messages wait: a person has to send. */
async function held(scene: Scene): Promise<void> {
  await queued(scene);
  await scene.session.host.restart();
}

/** Claude cannot be started again after its end. */
async function startFailed(scene: Scene): Promise<void> {
  await scene.exchange("Where is it made?");
  scene.session.play(scenes.START_FAILURE);
  process.kill(scene.session.claudes.at(-1)?.pid ?? 0, "SIGKILL");
  await scene.until("process_exit");
  await scene.session.message("And where is it used?");
  await scene.until("error", ({ code }) => code === "claude_start_failed");
}

async function archived(scene: Scene): Promise<void> {
  await scene.exchange("Where is it made?");
  await scene.session.run("update", { archived: true });
}

async function interrupted(scene: Scene): Promise<void> {
  await streamed(scene);
  await scene.session.run("interrupt");
  await scene.untilState("idle");
}

async function long(scene: Scene): Promise<void> {
  for (let at = 1; at <= 40; at += 1) await scene.exchange(`Do step ${at}`);
}

const EMPTY_SESSION = ofNewSession("empty session", {}, (scene) => scene.untilState("idle"));
export const STREAMING = ofSession("streaming text", scenes.STREAMING, streamed);
export const TOOL_RUNNING = ofSession(
  "tool running",
  scenes.TOOL_RUNNING,
  after("Run the tests", "tool_use", ({ status }) => status === "complete"),
);
export const PERMISSION = ofSession(
  "permission",
  scenes.PERMISSION,
  after("Build it", "control_request_forward"),
);
export const QUESTION = ofSession(
  "question",
  scenes.QUESTION,
  after("Make a command", "control_request_forward"),
);
export const QUEUED = ofSession("queue waiting", scenes.STREAMING, queued);
export const BACKGROUND_PROMPT = ofSession(
  "background agent asks",
  scenes.BACKGROUND_ASKING,
  after("Who wrote it?", "control_request_forward"),
);
/** A list of tasks, an agent and a command: all are under way, or were when the turn was stopped. */
const startWork = after("Greet by the time of day", "task_progress");
export const WORK = ofSession("work", WORKING, startWork);
const STOPPED_WORK = ofSession("stopped work", WORKING, async (scene) => {
  await startWork(scene);
  await scene.session.run("interrupt");
  await scene.untilState("idle");
});
export const IDLE = ofSession("answered", scenes.ANSWERED, (scene) =>
  scene.exchange("Where is the greeting made, and what would you change?"),
);

/** All of them are open. */
export const TOOL_CARDS: PageState = {
  ...ofSession("tool cards", scenes.TOOLS, (scene) => scene.exchange("Greet by the time of day")),
  show: async (page) => {
    const closed = page.locator("main details:not([open]) > summary");
    while ((await closed.count()) > 0) await closed.first().click();
  },
};

/** The states of one session. */
export const SESSION_STATES: readonly PageState[] = [
  EMPTY_SESSION,
  IDLE,
  STREAMING,
  ofSession("streaming thinking", scenes.THINKING, after("Where is it made?", "thinking_text")),
  TOOL_RUNNING,
  TOOL_CARDS,
  PERMISSION,
  QUESTION,
  ofSession("plan", scenes.PLAN, after("Plan a greeting", "control_request_forward")),
  ofSession("form", scenes.FORM, after("Order two", "elicitation_request")),
  ofNewSession(
    "dialog",
    {
      conversation: scenes.DIALOG,
      options: { dialogs: ["refusal_fallback_prompt"] },
    },
    after("Tell me", "dialog_request"),
  ),
  QUEUED,
  ofSession("subagents", scenes.SUBAGENTS, async (scene) => {
    await scene.say("Plan the work");
    await scene.until("tool_use", ({ tool_name }) => tool_name === "Read");
  }),
  ofSession("background work", scenes.BACKGROUND, (scene) => scene.exchange("Who wrote it?")),
  WORK,
  STOPPED_WORK,
  ofSession(
    "background report",
    REPORTED,
    after("Who wrote it?", "task_notification", ({ task_id }) => task_id === "atask8"),
  ),
  BACKGROUND_PROMPT,
  ofSession("compacting", scenes.COMPACTING, async (scene) => {
    await scene.exchange("Where is the greeting made?");
    await scene.say("Now change it");
    await scene.untilState("compacting");
  }),
  ofSession("failed turn", scenes.FAILING, after("Say hello", "turn_complete")),
  ofSession("interrupted turn", scenes.STREAMING, interrupted),
  ofSession("claude exited", scenes.DYING, after("Where is it made?", "process_exit")),
  ofSession("start failed", scenes.ANSWERED, startFailed),
  ofSession("long transcript", scenes.LONG, long),
  ofSession("archived", scenes.ANSWERED, archived),
  ...LIMIT_STATES,
];

/** Starts its host again. */
const HELD_QUEUE = ofSession("held queue", scenes.STREAMING, held);

export const GONE: PageState = {
  name: "gone session",
  reach: () => Promise.resolve({ sessionId: "00000000-0000-4000-8000-000000000000" }),
};

/** On a host without sessions. */
const EMPTY_BOARD: PageState = { name: "empty board", reach: () => Promise.resolve({}) };

/** A session in each column, and an archived one. */
export const BOARD: PageState = {
  name: "board",
  reach: async (host) => {
    const { STREAMING: working, PERMISSION: asking } = scenes;
    const examples = [
      ["Greet by the time of day", scenes.DYING, after("Where is it made?", "process_exit")],
      ["Read the history", scenes.ANSWERED, (scene: Scene) => scene.exchange("Where is it made?")],
      ["Write the release notes", working, streamed],
      ["Build from nothing", asking, after("Build it", "control_request_forward")],
      ["Try another parser", scenes.ANSWERED, archived],
    ] as const;
    for (const [title, conversation, reach] of examples) {
      const scene = await Scene.open(host, { title, conversation });
      await reach(scene);
      scene.close();
    }
    return {};
  },
};

/** The network loses every packet, and the page has noticed. */
export const DISCONNECTED: PageState = {
  ...IDLE,
  name: "disconnected host",
  show: async (page, browser) => {
    await browser.setNetwork(page, { isOffline: true });
    await page.getByText("The host cannot be reached").waitFor({ timeout: 45_000 });
  },
};

const RICH = ofNewSession(
  "",
  { conversation: scenes.RICH, title: "Greet by the time of day", mirror: true },
  async (scene) => {
    for (const message of ["Greet by the time of day", "Make a list", "What would you change?"])
      await scene.exchange(message);
  },
);

const rich = new WeakMap<TestHost, Promise<Opened>>();

/** The same session for all of a host, since they only look at it. */
function reachRich(host: TestHost): Promise<Opened> {
  const reached = rich.get(host) ?? RICH.reach(host);
  rich.set(host, reached);
  return reached;
}

/** Every dialog of the menu, with the name of its item. */
const DIALOGS = [
  "Model and mode",
  "Context",
  "Cost and limits",
  "Tasks",
  "Changed files",
  "MCP servers",
  "Hooks and rules",
  "Rename",
  "Move to another place",
  "Export",
  "Help",
  "Costs by day",
  "Command palette",
  "Keys",
  "Settings",
] as const;

async function openFromMenu(page: Page, item: string): Promise<void> {
  await chooseItem(page, item);
  await page.getByRole("dialog").waitFor();
}

const SEARCH: PageState = {
  name: "dialog Search in all sessions",
  reach: reachRich,
  show: async (page) => {
    await openFromMenu(page, "Command palette");
    await page.getByRole("combobox").fill("greeting");
    await page.getByRole("option", { name: "Search for “greeting”" }).click();
    await page.getByRole("option", { name: "Claude" }).first().waitFor();
  },
};

const BACK_TO_HERE: PageState = {
  name: "dialog Back to here",
  reach: reachRich,
  show: async (page) => {
    await page.locator(".asked").first().hover();
    await page.getByRole("button", { name: "Back to here" }).first().click();
    await page.getByText("What goes back to before this message").waitFor();
  },
};

export const DIALOG_STATES: readonly PageState[] = [
  ...DIALOGS.map((item) => ({
    name: `dialog ${item}`,
    reach: reachRich,
    show: (page: Page) => openFromMenu(page, item),
  })),
  SEARCH,
  BACK_TO_HERE,
];

const NEW_SESSION: PageState = {
  ...EMPTY_BOARD,
  name: "dialog New session",
  show: async (page) => {
    await page.getByRole("button", { name: "New session" }).first().click();
    await page.getByRole("dialog").waitFor();
  },
};

const MENU: PageState = {
  name: "menu",
  reach: reachRich,
  show: async (page) => {
    await page.getByRole("button", { name: "Menu", exact: true }).click();
    await page.getByRole("menu").waitFor();
  },
};

/** All of them. The last starts its host again. */
export const PAGE_STATES: readonly PageState[] = [
  EMPTY_BOARD,
  BOARD,
  ...SESSION_STATES,
  GONE,
  DISCONNECTED,
  MENU,
  NEW_SESSION,
  ...DIALOG_STATES,
  HELD_QUEUE,
];
