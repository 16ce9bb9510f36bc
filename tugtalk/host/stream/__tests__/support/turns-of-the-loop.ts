/** Waits until all callbacks have run that were scheduled for a later turn of the event loop. */

const MAX_TURNS = 10_000;

export async function turnsUntil(isDone: () => boolean): Promise<void> {
  for (let turn = 0; turn < MAX_TURNS && !isDone(); turn++) await nextTurn();
  if (!isDone()) throw new Error(`nothing came of it in ${MAX_TURNS} turns of the event loop`);
}

export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Resolves when the entries from the journal, and all later ones, have been sent. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await nextTurn();
}
