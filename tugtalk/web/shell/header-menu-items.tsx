/** The items of the page's menu, in groups. */
import { Fragment } from "preact";
import { Icon } from "../elements/icon.tsx";
import { MenuItem } from "../elements/menu.tsx";
import { useApp } from "../store/app.ts";
import { ACTION_GROUPS, type Action, actionsFor } from "./actions.ts";

export function HeaderMenuItems() {
  const actions = actionsFor(useApp()).filter(({ isRare = false }) => !isRare);
  const groups = ACTION_GROUPS.map((wanted) =>
    actions.filter(({ group = "page" }) => group === wanted),
  ).filter(({ length }) => length > 0);
  return (
    <>
      {groups.map((group, at) => (
        <Fragment key={group[0]?.group}>
          {at > 0 && <hr />}
          <Items actions={group} />
        </Fragment>
      ))}
    </>
  );
}

function Items({ actions }: { readonly actions: readonly Action[] }) {
  const app = useApp();
  return (
    <>
      {actions.map(({ name, label, icon, group, run }) => (
        <MenuItem key={name} isDanger={group === "delete"} onSelect={() => run(app)}>
          <Icon name={icon} /> {label}
        </MenuItem>
      ))}
    </>
  );
}
