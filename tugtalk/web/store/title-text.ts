/** The title of a session as it is shown. Pure. */
import { showHidden } from "../../client/views/visible-text.ts";

/** A session without a title has no message yet. */
export function titleText(title: string): string {
  return title === "" ? "Untitled" : showHidden(title);
}
