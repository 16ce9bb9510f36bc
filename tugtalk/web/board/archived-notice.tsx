/** Said in a session that was put away. */
import { Icon } from "../elements/icon.tsx";
import { useApp } from "../store/app.ts";
import { bringBack } from "./session-commands.ts";

export function ArchivedNotice({ id }: { readonly id: string }) {
  const app = useApp();
  return (
    <div class="session-problem" role="status">
      <p class="strip">
        <Icon name="archive" />
        <span class="grow">This session is archived. The next message brings it back.</span>
        <button type="button" class="small" onClick={() => bringBack(app, id)}>
          Bring back
        </button>
      </p>
    </div>
  );
}
