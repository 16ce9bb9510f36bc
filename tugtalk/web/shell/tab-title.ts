/** The tab of the browser: its title, and the colour of its mark. Pure. */
import type { AllSessions } from "../../client/stores/all-sessions.ts";
import { needingSessions } from "../store/needing-sessions.ts";
import { columnOf } from "../store/session-state.ts";
import { titleText } from "../store/title-text.ts";

/** `done`: since a person has looked at the tab. */
export type TabState = "waiting" | "working" | "done" | "quiet";

export type Tab = {
  readonly state: TabState;
  /** How many sessions need a person. */
  readonly needing: number;
  /** The title of the session, or of the board. */
  readonly title: string;
};

/** `shown` is the session of the route; without one it is the tab of all sessions. */
export function tabOf(
  board: Pick<AllSessions, "sessions" | "pending">,
  shown: string | undefined,
  isDone: boolean,
): Tab {
  const { sessions } = board;
  const own = sessions.filter(({ id }) => shown === undefined || id === shown);
  const columns = new Set(own.map(columnOf));
  const title = shown === undefined ? "Sessions" : titleText(own[0]?.title ?? "");
  return { state: stateOf(columns, isDone), needing: needingSessions(board).length, title };
}

function stateOf(columns: ReadonlySet<string>, isDone: boolean): TabState {
  if (columns.has("needs-you")) return "waiting";
  if (columns.has("working")) return "working";
  return isDone ? "done" : "quiet";
}

/** Whether the work is over. The answer to a prompt and the end of its turn may come at once. */
export function hasEnded(before: TabState | undefined, state: TabState): boolean {
  return state === "quiet" && (before === "working" || before === "waiting");
}

/** Who waits is counted. */
const MARKS: Readonly<Record<TabState, string>> = {
  waiting: "",
  working: "● ",
  done: "✓ ",
  quiet: "",
};

export function formatTitle({ state, needing, title }: Tab): string {
  return `${MARKS[state]}${needing > 0 ? `(${needing}) ` : ""}${title} · tugtalk`;
}
