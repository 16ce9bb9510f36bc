/** What can be done with a session as a whole. */
import type { SessionInfo } from "../../client/host-api.ts";
import { Icon } from "../elements/icon.tsx";
import { Menu, MenuItem } from "../elements/menu.tsx";
import { type DialogName, useApp } from "../store/app.ts";
import { columnOf } from "../store/session-state.ts";
import { titleText } from "../store/title-text.ts";
import { endClaude, forkSession, openDialog } from "./session-actions.ts";

type SessionMenuProps = { readonly session: SessionInfo };

export function SessionMenu({ session }: SessionMenuProps) {
  const app = useApp();
  const { id, title } = session;
  const open = (name: DialogName) => openDialog(app, name, id);
  return (
    <Menu label={`Actions of ${titleText(title)}`}>
      <MenuItem onSelect={() => open("rename")}>
        <Icon name="edit" /> Rename
      </MenuItem>
      <MenuItem onSelect={() => void forkSession(app, id)}>
        <Icon name="fork" /> Fork
      </MenuItem>
      <MenuItem onSelect={() => open("limit")}>
        <Icon name="coin" /> Limit
      </MenuItem>
      <MenuItem onSelect={() => open("export")}>
        <Icon name="download" /> Export
      </MenuItem>
      {columnOf(session) !== "ended" && (
        <MenuItem onSelect={() => void endClaude(app, id)}>
          <Icon name="stop" /> End
        </MenuItem>
      )}
      <MenuItem isDanger onSelect={() => open("delete")}>
        <Icon name="trash" /> Delete
      </MenuItem>
    </Menu>
  );
}
