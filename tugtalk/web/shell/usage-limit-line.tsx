/** A session that the usage limit of its account has refused: when it goes on, and whether by itself. */
import type { SessionInfo } from "../../client/host-api.ts";
import { goesOnText } from "../board/session-text.ts";
import { formatTime } from "../elements/format-time.ts";
import { Icon } from "../elements/icon.tsx";
import { focusMessageField } from "../elements/message-field.ts";
import { now } from "../elements/now.ts";
import { useApp } from "../store/app.ts";

type Limited = { readonly session: SessionInfo };

export function UsageLimitLine({ session }: Limited) {
  const { host, toasts } = useApp();
  const { id, goes_on = false, goes_on_at } = session;
  const update = (fields: Readonly<Record<string, boolean | null>>) =>
    void toasts.attempt(host.transport.command("update", { id, ...fields }));
  // The button goes.
  const leave = (fields: Readonly<Record<string, boolean | null>>) => {
    focusMessageField();
    update(fields);
  };
  return (
    <div class="session-problem">
      <p class="strip strip-warn">
        <Icon name="clock" />
        <span class="grow" role="status">
          <Said session={session} />
        </span>
        <label class="choice">
          <input
            type="checkbox"
            checked={goes_on}
            onChange={(event) => update({ goes_on: event.currentTarget.checked })}
          />
          <span>Go on by itself</span>
        </label>
        {goes_on_at !== undefined && (
          <button type="button" class="small" onClick={() => leave({ goes_on_at: null })}>
            Cancel
          </button>
        )}
        {goes_on && goes_on_at === undefined && (
          <button type="button" class="small" onClick={() => leave({ goes_on: true })}>
            Go on
          </button>
        )}
      </p>
    </div>
  );
}

function Said({ session }: Limited) {
  const { goes_on, goes_on_at, limit_resets_at = 0 } = session;
  if (goes_on_at !== undefined)
    return (
      <>
        <strong>{goesOnText(goes_on_at)}</strong>, after the usage limit
      </>
    );
  const isOver = limit_resets_at <= Math.max(now.value, Date.now());
  const time = formatTime(new Date(limit_resets_at), new Date());
  return (
    <>
      <strong>The usage limit is reached{goes_on === true && ", again and again"}.</strong> It{" "}
      {isOver ? "was" : "is"} reset at {time}.
    </>
  );
}
