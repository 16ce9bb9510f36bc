/** Says above the composer that a session has cost its limit. */
import type { SessionInfo } from "../../client/host-api.ts";
import { formatDollars } from "../elements/format-amount.ts";
import { Icon } from "../elements/icon.tsx";
import { useApp } from "../store/app.ts";

export function LimitNotice({ session }: { readonly session: SessionInfo }) {
  const { dialog } = useApp();
  return (
    <div class="session-problem" role="status">
      <p class="strip strip-warn">
        <Icon name="coin" />
        <span class="grow">
          This session has cost its limit of {formatDollars(session.limit_usd ?? 0)}. Raise it to go
          on.
        </span>
        <button
          type="button"
          class="small"
          onClick={() => {
            dialog.value = "limit";
          }}
        >
          Raise the limit
        </button>
      </p>
    </div>
  );
}
