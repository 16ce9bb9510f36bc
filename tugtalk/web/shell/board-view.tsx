/** All sessions, with the menu of the page. */
import { Board } from "../board/board.tsx";
import { HeaderMenu } from "./header-menu.tsx";

export function BoardView() {
  return (
    <>
      <nav class="page-menu" aria-label="Page">
        <HeaderMenu />
      </nav>
      <Board />
    </>
  );
}
