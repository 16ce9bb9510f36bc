/** What a person can do with the page, for the menu of a session and for the command palette. */

import type { IconName } from "../../host/page/icons.ts";
import { goToNextNeeding, NOBODY_WAITS, SESSION_ACTIONS } from "../board/session-actions.ts";
import { othersPending } from "../prompts/prompt-order.ts";
import type { App, DialogName } from "../store/app.ts";
import { goTo } from "../store/route.ts";

export type Action = {
  readonly name: string;
  readonly label: string;
  readonly icon: IconName;
  /** The action of `KEYBINDINGS` that does the same. */
  readonly key?: string;
  /** Only where a session is shown. */
  readonly isOfSession?: boolean;
  /** In the palette only. */
  readonly isRare?: boolean;
  readonly run: (app: App) => void;
};

type Extra = Pick<Action, "key" | "isOfSession" | "isRare">;

function opening(name: DialogName, label: string, icon: IconName, extra: Extra = {}): Action {
  return { name, label, icon, run: ({ open }) => open(name), ...extra };
}

const OF_SESSION = { isOfSession: true } as const;

const SHOWN_ACTIONS: readonly Action[] = SESSION_ACTIONS.map(({ name, label, icon, run }) => ({
  ...{ name, label, icon, ...OF_SESSION },
  run: (app) => {
    if (app.session.value !== undefined) run(app, app.session.value.id);
  },
}));

export const ACTIONS: readonly Action[] = [
  {
    name: "find",
    label: "Find in the conversation",
    icon: "search",
    key: "find",
    isOfSession: true,
    run: (app) => {
      app.isFinding.value = true;
    },
  },
  opening("session-settings", "Model and mode", "spark", OF_SESSION),
  opening("context", "Context", "gauge", OF_SESSION),
  opening("cost", "Cost and limits", "coin", OF_SESSION),
  opening("tasks", "Tasks", "tasks", OF_SESSION),
  opening("changes", "Changed files", "file", OF_SESSION),
  opening("mcp", "MCP servers", "plug", OF_SESSION),
  opening("hooks", "Hooks and rules", "shield-check", OF_SESSION),
  ...SHOWN_ACTIONS,
  opening("help", "Help", "help", OF_SESSION),
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

/** Those that can be done now. */
export function actionsFor(app: App): readonly Action[] {
  const hasSession = app.session.value !== undefined;
  return ACTIONS.filter(({ isOfSession = false }) => hasSession || !isOfSession);
}
