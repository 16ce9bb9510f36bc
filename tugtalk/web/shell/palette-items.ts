/** All that the command palette offers. */
import { viewCommands } from "../../client/views/command-view.ts";
import { KEYBINDINGS } from "../../client/views/keybindings.ts";
import type { IconName } from "../../host/page/icons.ts";
import type { App } from "../store/app.ts";
import { goTo } from "../store/route.ts";
import { titleText } from "../store/title-text.ts";
import { actionsFor } from "./actions.ts";

export type PaletteItem = {
  readonly id: string;
  readonly label: string;
  readonly icon: IconName;
  /** What it is, unless it is an action. */
  readonly kind?: string;
  /** As the table of keys has it. */
  readonly keys?: string | undefined;
  readonly run: () => void;
};

export function paletteItems(app: App): readonly PaletteItem[] {
  return [...actionItems(app), ...sessionItems(app), ...commandItems(app)];
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

function sessionItems({ host, session }: App): PaletteItem[] {
  return host.board.value.sessions
    .filter(({ id }) => id !== session.value?.id)
    .map(({ id, title }) => ({
      id: `session ${id}`,
      label: titleText(title),
      icon: "message",
      kind: "Session",
      run: () => goTo({ name: "session", id }),
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
      document.querySelector<HTMLElement>(".composer textarea")?.focus();
    },
  }));
}
