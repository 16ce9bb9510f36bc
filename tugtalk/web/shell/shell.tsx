/** The frame of the page: the view of the route, and the layers that may lie over it. */
import { useEffect, useRef } from "preact/hooks";
import { SessionSidebar } from "../board/session-sidebar.tsx";
import { lazy } from "../elements/lazy.tsx";
import { ToastList } from "../elements/toast-list.tsx";
import { useApp } from "../store/app.ts";
import { SessionView } from "./session-view.tsx";
import { Watch } from "./watch.tsx";

const BoardView = lazy(async () => (await import("./board-view.tsx")).BoardView);
const Dialogs = lazy(async () => (await import("./dialogs.tsx")).Dialogs);

export function Shell() {
  const { dialog } = useApp();
  return (
    <>
      <Watch />
      <View />
      {dialog.value === undefined && <ToastList />}
      {dialog.value !== undefined && <Dialogs name={dialog.value} />}
    </>
  );
}

/** Where a person goes to gets the focus, unless a part of it takes that for itself. */
function View() {
  const { session, route } = useApp();
  const view = useRef<HTMLDivElement>(null);
  const first = useRef(route.value);
  const shown = session.value;
  useEffect(() => {
    if (route.value === first.current) return;
    if (document.activeElement === document.body) view.current?.focus();
  }, [route.value]);
  return (
    <div ref={view} class="view" tabIndex={-1}>
      {shown === undefined ? (
        <BoardView />
      ) : (
        <>
          <SessionSidebar />
          <SessionView key={shown.id} session={shown} />
        </>
      )}
    </div>
  );
}
