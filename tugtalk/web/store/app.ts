/** The whole state of the page, made once and given to every component. */
import {
  computed,
  effect,
  type ReadonlySignal,
  type Signal,
  signal,
  untracked,
} from "@preact/signals";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { RewindPreview } from "../../client/rewind-models.ts";
import { onNextFrame } from "../../client/stores/next-frame.ts";
import type { UserItem } from "../../client/transcript-models.ts";
import { SocketTransport } from "../../client/transports/socket-transport.ts";
import { type Drafts, openDrafts, removeGoneDrafts } from "./drafts.ts";
import { FoldsBySession } from "./folds.ts";
import { whoAnswers } from "./host-proof.ts";
import { type HostStore, openHostStore } from "./host-store.ts";
import { openPreferences, type Preferences } from "./preferences.ts";
import { type Route, watchRoute } from "./route.ts";
import { SessionStore } from "./session-store.ts";
import { Toasts } from "./toasts.ts";

/** The dialogs of the page. At most one of them is open. */
export type DialogName =
  | "new-session"
  | "palette"
  | "search"
  | "help"
  | "keys"
  | "settings"
  | "session-settings"
  | "bypass"
  | "context"
  | "hooks"
  | "mcp"
  | "tasks"
  | "changes"
  | "cost"
  | "daily-costs"
  | "rename"
  | "delete"
  | "limit"
  | "move"
  | "prompt"
  | "export"
  | "rewind";

/** A place in a transcript that a person wants to see. */
export type FoundPlace = {
  readonly session: string;
  /** The keys of the entry and of the item in it. */
  readonly entry: string;
  readonly item: string;
  /** The text to mark there. */
  readonly text: string;
};

/** A message of a person that can be gone back to. */
export type WayBack = {
  readonly item: UserItem;
  /** To try it again in a copy, until a person chooses otherwise. */
  readonly isRetry?: boolean;
  /** The effect of going back; absent: the host is asked. */
  readonly known?: RewindPreview;
};

export type App = {
  readonly host: HostStore;
  readonly route: ReadonlySignal<Route>;
  /** The session of the route. */
  readonly session: ReadonlySignal<SessionStore | undefined>;
  readonly dialog: ReadonlySignal<DialogName | undefined>;
  /** The session that the dialog is about, if it is not the session of the route. */
  readonly subject: ReadonlySignal<string | undefined>;
  /** Opens a dialog, of the session of the route or of another one. */
  readonly open: (name: DialogName, subject?: string) => void;
  /** Closes the dialog that is open, if there is one. */
  readonly close: () => void;
  /** Opens the dialog that goes back to a message. */
  readonly openWayBack: (way: WayBack) => void;
  readonly wayBack: ReadonlySignal<WayBack | undefined>;
  readonly isFinding: Signal<boolean>;
  /** The words of the search in all sessions. */
  readonly searched: Signal<string>;
  /** Until it is shown. */
  readonly found: Signal<FoundPlace | undefined>;
  readonly drafts: Drafts;
  readonly folds: FoldsBySession;
  readonly preferences: Signal<Preferences>;
  readonly toasts: Toasts;
};

export function openApp(): App {
  const host = openHostStore(
    new SocketTransport({
      url: location.origin,
      clientName: clientName(navigator.userAgent),
      isHost: openHostCheck(),
    }),
    removeGoneDrafts,
  );
  const route = watchRoute();
  const toasts = new Toasts();
  // The first call is for the route of the opening page, whose notices stay.
  let shown = route.value;
  route.subscribe((next) => {
    if (next !== shown) toasts.leave();
    shown = next;
  });
  return {
    host,
    route,
    session: followRoute(host, route),
    ...openDialogs(route),
    isFinding: signal(false),
    searched: signal(""),
    found: signal<FoundPlace | undefined>(undefined),
    drafts: openDrafts(),
    folds: new FoldsBySession(),
    preferences: openPreferences(),
    toasts,
  };
}

function openDialogs(route: ReadonlySignal<Route>) {
  const dialog = signal<DialogName | undefined>(undefined);
  const subject = signal<string | undefined>(undefined);
  const open = (name?: DialogName, id?: string) => {
    subject.value = id;
    dialog.value = name;
  };
  const close = () => open();
  const wayBack = signal<WayBack | undefined>(undefined);
  const openWayBack = (way: WayBack) => {
    wayBack.value = way;
    open("rewind");
  };
  // It would be about another session than the one it was opened for.
  route.subscribe(close);
  return { dialog, subject, open, close, wayBack, openWayBack };
}

/** One session is subscribed to at a time. */
function followRoute(
  { transport }: HostStore,
  route: ReadonlySignal<Route>,
): ReadonlySignal<SessionStore | undefined> {
  const id = computed(() => (route.value.name === "session" ? route.value.id : undefined));
  const session = signal<SessionStore | undefined>(undefined);
  effect(() => {
    const wanted = id.value;
    untracked(() => {
      session.value?.close();
      session.value =
        wanted === undefined ? undefined : new SessionStore(transport, wanted, onNextFrame);
    });
  });
  return session;
}

/** The name that others see when this page answers a prompt. */
function clientName(userAgent: string): string {
  const browser = /(Firefox|Edg|Chrome|Safari)\//.exec(userAgent)?.[1] ?? "browser";
  const name = browser === "Edg" ? "Edge" : browser;
  return /Mobile|Android|iPhone/.test(userAgent) ? `${name} on a phone` : name;
}

const AppContext = createContext<App | undefined>(undefined);

export const AppProvider = AppContext.Provider;

/** The app of the component that calls it. */
export function useApp(): App {
  const app = useContext(AppContext);
  if (app === undefined) throw new Error("there is no AppProvider");
  return app;
}

/**
 * Whether to connect: at first with the sender of the page, later only with a host that proves to be the
 * same.
 */
function openHostCheck(): () => Promise<boolean> {
  let isFirst = true;
  return async () => {
    if (!isFirst) return (await whoAnswers()) === "host";
    isFirst = false;
    return true;
  };
}
