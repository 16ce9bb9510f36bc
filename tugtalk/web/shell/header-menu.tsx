/** All panels of a session, and the panels of the page. */
import { Icon } from "../elements/icon.tsx";
import { lazy } from "../elements/lazy.tsx";
import { Menu } from "../elements/menu.tsx";

const HeaderMenuItems = lazy(async () => (await import("./header-menu-items.tsx")).HeaderMenuItems);

export function HeaderMenu() {
  return (
    <Menu label="Menu" face={<Icon name="menu" />}>
      <HeaderMenuItems />
    </Menu>
  );
}
