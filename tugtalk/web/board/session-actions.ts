/** The actions of a person with a session, wherever it is named. */
import type { SessionInfo } from "../../client/host-api.ts";
import type { IconName } from "../../host/page/icons.ts";
import { withCode } from "../elements/lazy.tsx";
import type { App, DialogName } from "../store/app.ts";
import { nextNeeding } from "../store/next-needing.ts";
import { goTo } from "../store/route.ts";
import { isArchived, isAsleep } from "../store/session-state.ts";

export type SessionAction = {
  readonly name: string;
  readonly label: string;
  /** In the menu of a session. */
  readonly shortLabel?: string;
  readonly icon: IconName;
  /** Whether it can be done with this session; absent: with each. */
  readonly fits?: (session: SessionInfo) => boolean;
  readonly run: (app: App, id: string) => void;
};

function opening(name: DialogName, label: string, icon: IconName): SessionAction {
  return { name, label, icon, run: ({ open }, id) => open(name, id) };
}

/** The code of it is loaded when it is done first. */
function doing(name: "forkSession" | "endClaude" | "archive" | "bringBack"): SessionAction["run"] {
  return (app, id) =>
    withCode(
      app,
      () => import("./session-commands.ts"),
      (commands) => commands[name](app, id),
    );
}

/** The present actions with this session. */
export function sessionActions(session: SessionInfo): readonly SessionAction[] {
  return SESSION_ACTIONS.filter(({ fits }) => fits?.(session) !== false);
}

/** In the order of the menus. */
export const SESSION_ACTIONS: readonly SessionAction[] = [
  opening("rename", "Rename", "edit"),
  { name: "fork", label: "Fork", icon: "fork", run: doing("forkSession") },
  {
    ...opening("move", "Move to another place", "move"),
    shortLabel: "Move",
    fits: (session) => session.mirror === true && !isArchived(session),
  },
  opening("limit", "Limit", "coin"),
  opening("export", "Export", "download"),
  {
    name: "end",
    label: "End Claude",
    shortLabel: "End",
    icon: "stop",
    fits: (session) => !isAsleep(session),
    run: doing("endClaude"),
  },
  {
    name: "archive",
    label: "Archive",
    icon: "archive",
    fits: (session) => !isArchived(session),
    run: doing("archive"),
  },
  {
    name: "restore",
    label: "Bring back",
    icon: "archive",
    fits: isArchived,
    run: doing("bringBack"),
  },
  opening("delete", "Delete", "trash"),
];

/** Said where a person looks for a session that waits. */
export const NOBODY_WAITS = "No other session waits for you.";

/** Goes to the next session that waits for a person. */
export function goToNextNeeding({ host, route, toasts }: App): void {
  const shown = route.value;
  const id = nextNeeding(host.board.value, shown.name === "session" ? shown.id : undefined);
  if (id !== undefined) goTo({ name: "session", id });
  else toasts.show({ severity: "info", text: NOBODY_WAITS });
}
