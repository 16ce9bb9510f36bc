/** The view of a person who has no session yet. */
import { useApp } from "../store/app.ts";
import { usePlaces } from "./places.ts";

export function Welcome() {
  const { open } = useApp();
  const places = usePlaces();
  return (
    <main class="welcome">
      <h1>tugtalk</h1>
      <p>
        Talk with Claude Code in your browser. A session is a conversation in a folder: Claude reads
        and changes files there, and asks you before it does what you have not allowed.
      </p>
      {places.value?.default === "simulator" && <SimulatorHint />}
      <button type="button" class="primary" onClick={() => open("new-session")}>
        New session
      </button>
    </main>
  );
}

function SimulatorHint() {
  return (
    <p class="hint">
      No Claude Code was found on this machine, so new sessions play a demonstration that costs
      nothing. Install Claude Code and start the host again for the real one.
    </p>
  );
}
