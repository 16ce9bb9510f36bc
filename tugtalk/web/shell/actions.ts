/** The actions of a person with the page, for the menu of a session and for the command palette. */

import type { SessionInfo } from "../../client/host-api.ts";
import type { IconName } from "../../host/page/icons.ts";
import { goToNextNeeding, NOBODY_WAITS, SESSION_ACTIONS } from "../board/session-actions.ts";
import { isAwaited } from "../elements/typed-ahead.ts";
import { othersPending } from "../prompts/prompt-order.ts";
import type { App, DialogName } from "../store/app.ts";
import { goTo } from "../store/route.ts";

/** In the order of the menu, with lines between them. */
export const ACTION_GROUPS = ["work", "claude", "session", "delete", "page"] as const;
type ActionGroup = (typeof ACTION_GROUPS)[number];

export type Action = {
  readonly name: string;
  readonly label: string;
  readonly icon: IconName;
  /** The action of `KEYBINDINGS` that does the same. */
  readonly key?: string;
  /** Only where a session is shown. */
  readonly isOfSession?: boolean;
  /** Whether it can be done with the session that is shown; absent: always. */
  readonly fits?: (session: SessionInfo) => boolean;
  /** In the palette only. */
  readonly isRare?: boolean;
  /** The group of the menu; `page` if absent. */
  readonly group?: ActionGroup;
  readonly run: (app: App) => void;
};

type Extra = Pick<Action, "key" | "isOfSession" | "isRare" | "group">;

function opening(name: DialogName, label: string, icon: IconName, extra: Extra = {}): Action {
  return { name, label, icon, run: ({ open }) => open(name), ...extra };
}

const OF_SESSION = { isOfSession: true } as const;
const OF_WORK = { ...OF_SESSION, group: "work" } as const;
const OF_CLAUDE = { ...OF_SESSION, group: "claude" } as const;

const SHOWN_ACTIONS: readonly Action[] = SESSION_ACTIONS.map(
  ({ run, shortLabel: _, ...action }) => ({
    ...action,
    ...OF_SESSION,
    group: action.name === "delete" ? "delete" : "session",
    run: (app) => {
      if (app.session.value !== undefined) run(app, app.session.value.id);
    },
  }),
);

export const ACTIONS: readonly Action[] = [
  {
    name: "find",
    label: "Find in the conversation",
    icon: "search",
    key: "find",
    ...OF_WORK,
    run: (app) => {
      app.isFinding.value = true;
    },
  },
  opening("tasks", "Tasks", "tasks", OF_WORK),
  opening("changes", "Changed files", "file", OF_WORK),
  opening("session-settings", "Model and mode", "spark", OF_CLAUDE),
  opening("context", "Context", "gauge", OF_CLAUDE),
  opening("cost", "Cost and limits", "coin", OF_CLAUDE),
  opening("mcp", "MCP servers", "plug", OF_CLAUDE),
  opening("hooks", "Hooks and rules", "shield-check", OF_CLAUDE),
  ...SHOWN_ACTIONS,
  opening("help", "Help", "help", OF_SESSION),
  opening("daily-costs", "Costs by day", "coin"),
  opening("palette", "Command palette", "palette", { key: "open_palette" }),
  opening("keys", "Keys", "keyboard", { key: "open_help" }),
  opening("settings", "Settings", "gear"),
  {
    name: "next-waiting",
    label: "Next session that waits for you",
    icon: "bell",
    key: "next_waiting",
    isRare: true,
    run: goToNextNeeding,
  },
  {
    name: "prompt",
    label: "What other sessions ask",
    icon: "message",
    key: "open_prompts",
    isRare: true,
    run: openPrompts,
  },
  {
    name: "fold",
    label: "Collapse or expand earlier turns",
    icon: "chevron-up",
    isOfSession: true,
    isRare: true,
    run: foldTurns,
  },
  opening("search", "Search in all sessions", "search", { key: "search", isRare: true }),
  opening("new-session", "New session", "plus", { key: "new_session", isRare: true }),
  {
    name: "board",
    label: "All sessions",
    icon: "list",
    isRare: true,
    run: () => goTo({ name: "board" }),
  },
];

function openPrompts({ host, session, open, toasts }: App): void {
  if (othersPending(host.board.value, session.value?.id).length > 0) open("prompt");
  else toasts.show({ severity: "info", text: NOBODY_WAITS });
}

function foldTurns({ session, folds }: App): void {
  if (session.value === undefined) return;
  const shown = folds.of(session.value.id);
  shown.foldAll(!shown.isAll);
}

/** The actions that are possible at present, as far as the page knows. */
export function actionsFor({ host, session }: App): readonly Action[] {
  const shown = session.value?.id;
  const info = host.board.value.sessions.find(({ id }) => id === shown);
  return ACTIONS.filter(
    ({ isOfSession = false, fits }) =>
      (shown !== undefined || !isOfSession) &&
      (fits === undefined || (info !== undefined && fits(info))),
  );
}

/** Runs the action of a key, unless the action opens something and Escape has cancelled that meanwhile. */
export function runKey(app: App, wanted: string, isOpening: boolean): void {
  if (isOpening && !isAwaited()) return;
  actionsFor(app)
    .find(({ key }) => key === wanted)
    ?.run(app);
}
