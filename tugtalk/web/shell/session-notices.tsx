/** Why a session does not go on. */
import type { SessionInfo } from "../../client/host-api.ts";
import { formatDollars } from "../elements/format-amount.ts";
import { Icon } from "../elements/icon.tsx";
import { useApp } from "../store/app.ts";

/** A session that has cost its limit goes on only once a person raises that. */
export function LimitNotice({ session }: { readonly session: SessionInfo }) {
  const { open } = useApp();
  return (
    <div class="session-problem" role="status">
      <p class="strip strip-warn">
        <Icon name="coin" />
        <span class="grow">
          This session has cost its limit of {formatDollars(session.limit_usd ?? 0)}. Raise it to go
          on.
        </span>
        <button type="button" class="small" onClick={() => open("limit")}>
          Raise the limit
        </button>
      </p>
    </div>
  );
}

type ProblemProps = { readonly isLost: boolean; readonly error: string | undefined };

/** Why a session cannot go on, and what a person can do about it. */
export function Problem({ isLost, error }: ProblemProps) {
  return (
    <div class="session-problem" role="status">
      <p class="strip strip-bad">
        <Icon name="warning" />
        <span class="grow">
          <strong>
            {isLost ? "The connection with its place is lost." : "Claude did not start."}
          </strong>{" "}
          {error !== undefined && `${sentence(error)} `}
          {isLost ? "It is continued as soon as it is safe." : "A message tries again."}
        </span>
      </p>
    </div>
  );
}

/** Some reasons end with a full stop, and others do not. */
function sentence(reason: string): string {
  return reason.replace(/(?<![.!?\s])\s*$/, ".");
}
