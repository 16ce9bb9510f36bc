/** The first thing that Tab reaches: leads past the lists to what a person came for. */
export function SkipLink() {
  return (
    <button type="button" class="skip-link" onClick={skip}>
      Skip to the content
    </button>
  );
}

function skip(): void {
  const main = document.querySelector("main");
  if (main !== null) main.tabIndex = -1;
  (document.querySelector<HTMLElement>(".composer textarea") ?? main)?.focus();
}
