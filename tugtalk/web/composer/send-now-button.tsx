/** Stops the turn that runs, and sends the draft. */
import { Icon } from "../elements/icon.tsx";
import { keyParts } from "../elements/key-view.tsx";

type SendNowProps = { readonly sendNow: () => void };

export function SendNowButton({ sendNow }: SendNowProps) {
  const keys = keyParts("Ctrl+Enter", navigator.platform).join(" ");
  return (
    <button
      type="button"
      title={`Stop and send (${keys})`}
      aria-label="Stop and send"
      onClick={sendNow}
    >
      <Icon name="send-now" />
    </button>
  );
}
