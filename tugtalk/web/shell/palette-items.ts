/** The items of the command palette. */
import type { Fields } from "../../client/claude-value.ts";
import { viewCommands } from "../../client/views/command-view.ts";
import { KEYBINDINGS } from "../../client/views/keybindings.ts";
import { showHidden } from "../../client/views/visible-text.ts";
import type { IconName } from "../../host/page/icons.ts";
import { focusMain } from "../elements/focus-main.ts";
import type { App } from "../store/app.ts";
import { canRetry } from "../store/retry.ts";
import { askedIn, latestTurn, retryTurn } from "../store/retry-turn.ts";
import { goTo } from "../store/route.ts";
import { isArchived } from "../store/session-state.ts";
import type { SessionStore } from "../store/session-store.ts";
import { titleText } from "../store/title-text.ts";
import { isFailed } from "../transcript/turn-failure.ts";
import { actionsFor } from "./actions.ts";

/** The next choices. */
export type Choices = {
  readonly question: string;
  readonly items: () => readonly PaletteItem[];
  /** The items below the found ones. */
  readonly last: () => readonly PaletteItem[];
};

export type PaletteItem = {
  readonly id: string;
  readonly label: string;
  /** Other words that it is found by. */
  readonly alias?: string;
  readonly icon: IconName;
  /** The kind of item, unless it is an action. */
  readonly kind?: string;
  /** As the table of keys has it. */
  readonly keys?: string | undefined;
} & (
  | { readonly run: () => void }
  | { readonly next: Choices }
  /** Makes more items. */
  | { readonly more: () => void }
);

/** More of a message than fits. */
const MAX_LABEL_CHARS = 200;

export function paletteItems(app: App): readonly PaletteItem[] {
  return [...actionItems(app), ...situationItems(app), ...sessionItems(app), ...commandItems(app)];
}

function actionItems(app: App): PaletteItem[] {
  return actionsFor(app)
    .filter(({ name }) => name !== "palette")
    .map(({ name, label, icon, key, run }) => ({
      id: `action ${name}`,
      label,
      icon,
      keys: KEYBINDINGS.find(({ action }) => action === key)?.key,
      run: () => run(app),
    }));
}

/** The actions of the session as it is now: in its transcript, and above its composer. */
function situationItems(app: App): PaletteItem[] {
  const { session } = app;
  if (session.value === undefined) return [];
  return [
    ...backItems(app, session.value),
    ...retryItems(app, session.value),
    ...goesOnItems(app, session.value),
  ];
}

/** The button "Retry" of a turn that has failed. */
function retryItems(app: App, session: SessionStore): PaletteItem[] {
  const turn = latestTurn(session.entries.value, session.openEntries.value);
  if (turn === undefined || !isFailed(turn) || askedIn(turn).length === 0) return [];
  const run = () => void retryTurn(app, session, turn);
  return [{ id: "retry", label: "Retry what has failed", icon: "refresh", run }];
}

/** The actions of the line of the usage limit. */
function goesOnItems({ host, toasts }: App, { id }: SessionStore): PaletteItem[] {
  const info = host.board.value.sessions.find((one) => one.id === id);
  if (info?.limit_resets_at === undefined) return [];
  const { goes_on = false, goes_on_at } = info;
  const item = (label: string, fields: Fields): PaletteItem => ({
    id: label,
    label,
    icon: "clock",
    run: () => void toasts.attempt(host.transport.command("update", { id, ...fields })),
  });
  if (!goes_on) return [item("Go on by itself after the limit", { goes_on: true })];
  const isWaiting = goes_on_at !== undefined;
  return [
    isWaiting
      ? item("Cancel going on after the limit", { goes_on_at: null })
      : item("Go on after the limit", { goes_on: true }),
    item("No longer go on by itself", { goes_on: false }),
  ];
}

/** The "Back to here" of each message, the latest first. */
function backItems(app: App, session: SessionStore): PaletteItem[] {
  const items = () => messageItems(app, session);
  const last = () => olderItems(app, session);
  if (items().length + last().length === 0) return [];
  const next = { question: "Back to before which message?", items, last };
  const label = "Back to an earlier message";
  return [{ id: "back", label, alias: "back to here, rewind", icon: "back-to", next }];
}

function messageItems({ openWayBack }: App, session: SessionStore): PaletteItem[] {
  return [...session.entries.value, ...session.openEntries.value]
    .filter(({ isForgotten = false }) => !isForgotten)
    .flatMap(({ items }) => items)
    .filter((item) => item.kind === "user")
    .filter((item) => canRetry(item, session))
    .toReversed()
    .map((item) => ({
      id: `back ${item.key}`,
      label: showHidden(item.text).slice(0, MAX_LABEL_CHARS),
      icon: "back-to",
      run: () => openWayBack({ item }),
    }));
}

/** An item that loads older messages, which the palette cannot find yet. */
function olderItems({ toasts }: App, session: SessionStore): PaletteItem[] {
  if (session.state.value.before === undefined) return [];
  const more = () => void toasts.attempt(session.loadOlder());
  return [{ id: "back older", label: "Load older messages", icon: "refresh", more }];
}

function sessionItems({ host, session }: App): PaletteItem[] {
  return host.board.value.sessions
    .filter(({ id }) => id !== session.value?.id)
    .map((one) => ({
      id: `session ${one.id}`,
      label: titleText(one.title),
      icon: "message",
      kind: isArchived(one) ? "Archived" : "Session",
      run: () => goTo({ name: "session", id: one.id }),
    }));
}

/** A command is written into the message field, where its arguments are typed. */
function commandItems({ session, drafts }: App): PaletteItem[] {
  const shown = session.value;
  if (shown === undefined) return [];
  return viewCommands(shown.state.value).map(({ name }) => ({
    id: `command ${name}`,
    label: `/${name}`,
    icon: "terminal",
    kind: "Command",
    run: () => {
      drafts.giveBack(shown.id, `/${name} `);
      // After the palette has given the focus back.
      requestAnimationFrame(focusMain);
    },
  }));
}

/** A text without a name that leads to it may be in a conversation. */
export function searchItem({ searched, open }: App, query: string): readonly PaletteItem[] {
  if (query.trim() === "") return [];
  const run = () => {
    searched.value = query;
    open("search");
  };
  return [
    { id: "search text", label: `Search for “${query}” in all sessions`, icon: "search", run },
  ];
}
