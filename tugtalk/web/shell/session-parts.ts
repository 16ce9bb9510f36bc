/** What the page has around the texts of a session, loaded together: each session needs all of it at once. */
import { SessionSidebar } from "../board/session-sidebar.tsx";
import { HeaderTools } from "./header-tools.tsx";
import { SessionFoot } from "./session-foot.tsx";
import { Watch } from "./watch.tsx";

export const PARTS = { HeaderTools, SessionFoot, SessionSidebar, Watch } as const;
