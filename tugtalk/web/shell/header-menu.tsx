/** All panels of a session, and those of the page. */
import { Icon } from "../elements/icon.tsx";
import { Menu, MenuItem } from "../elements/menu.tsx";
import { useApp } from "../store/app.ts";
import { type Action, actionsFor } from "./actions.ts";

export function HeaderMenu() {
  const actions = actionsFor(useApp()).filter(({ isRare = false }) => !isRare);
  const [ofSession, ofPage] = [true, false].map((wanted) =>
    actions.filter(({ isOfSession = false }) => isOfSession === wanted),
  );
  return (
    <Menu label="Menu" face={<Icon name="menu" />}>
      <Items actions={ofSession} />
      {ofSession?.length !== 0 && <hr />}
      <Items actions={ofPage} />
    </Menu>
  );
}

function Items({ actions = [] }: { readonly actions: readonly Action[] | undefined }) {
  const app = useApp();
  return (
    <>
      {actions.map(({ name, label, icon, run }) => (
        <MenuItem key={name} onSelect={() => run(app)}>
          <Icon name={icon} /> {label}
        </MenuItem>
      ))}
    </>
  );
}
