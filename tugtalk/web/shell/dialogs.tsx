/** The dialog that is open. The code of the large ones is loaded when they are opened first. */
import type { FunctionComponent } from "preact";
import { useLayoutEffect } from "preact/hooks";
import type { SessionInfo } from "../../client/host-api.ts";
import { DeleteSession } from "../board/delete-session.tsx";
import { Limit, Rename } from "../board/update-session.tsx";
import { lazy } from "../elements/lazy.tsx";
import { Bypass } from "../panels/bypass.tsx";
import { Context } from "../panels/context.tsx";
import { Cost } from "../panels/cost.tsx";
import { Export } from "../panels/export.tsx";
import { Help } from "../panels/help.tsx";
import { Hooks } from "../panels/hooks.tsx";
import { Keys } from "../panels/keys.tsx";
import { McpServers } from "../panels/mcp.tsx";
import { SessionSettings } from "../panels/session-settings.tsx";
import { Settings } from "../panels/settings.tsx";
import { type DialogName, useApp } from "../store/app.ts";
import { useSubject } from "../store/session-info.ts";
import type { SessionStore } from "../store/session-store.ts";

const DIALOGS: Partial<Record<DialogName, FunctionComponent>> = {
  "new-session": lazy(async () => (await import("../board/new-session.tsx")).NewSession),
  "daily-costs": lazy(async () => (await import("../panels/daily-costs.tsx")).DailyCosts),
  prompt: lazy(async () => (await import("../prompts/prompt-dialog.tsx")).PromptDialog),
  keys: Keys,
  palette: lazy(async () => (await import("./palette.tsx")).Palette),
  search: lazy(async () => (await import("../search/search-dialog.tsx")).SearchDialog),
  settings: Settings,
};

type OfSubject = FunctionComponent<{ readonly session: SessionInfo }>;

/** The dialogs about the subject: the shown session, or a session that was chosen for the dialog. */
const SUBJECT_DIALOGS: Partial<Record<DialogName, OfSubject>> = {
  rename: Rename,
  limit: Limit,
  move: lazy(async () => (await import("../board/move-session.tsx")).MoveSession),
  delete: DeleteSession,
  export: Export,
};

type OfSession = FunctionComponent<{ readonly session: SessionStore }>;

/** The dialogs about the shown session. */
const SESSION_DIALOGS: Partial<Record<DialogName, OfSession>> = {
  bypass: Bypass,
  context: Context,
  cost: Cost,
  help: Help,
  hooks: Hooks,
  mcp: McpServers,
  "session-settings": SessionSettings,
  tasks: lazy(async () => (await import("../panels/task-list.tsx")).TaskList),
  rewind: lazy(async () => (await import("../transcript/rewind-dialog.tsx")).RewindDialog),
  changes: lazy(async () => (await import("../panels/changes.tsx")).Changes),
};

export function Dialogs({ name }: { readonly name: DialogName }) {
  const { session } = useApp();
  const subject = useSubject().value;
  useEnd(name, subject);
  const Shown = DIALOGS[name];
  const OfSubject = SUBJECT_DIALOGS[name];
  const OfSession = SESSION_DIALOGS[name];
  if (Shown !== undefined) return <Shown />;
  if (OfSubject !== undefined && subject !== undefined) return <OfSubject session={subject} />;
  if (OfSession === undefined || session.value === undefined) return null;
  return <OfSession session={session.value} />;
}

/** A dialog ends with the session that it is about. */
function useEnd(name: DialogName, subject: SessionInfo | undefined): void {
  const { close, host } = useApp();
  const isOfSession = name in SUBJECT_DIALOGS || name in SESSION_DIALOGS;
  const isGone = isOfSession && host.board.value.isLoaded && subject === undefined;
  // Not a frame later: with it the next key is one of the page again.
  useLayoutEffect(() => {
    if (isGone) close();
  }, [isGone]);
}
