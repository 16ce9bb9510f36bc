/** Secrets in a text that Claude printed. */

/** Shorter values are flags and numbers, no secrets. */
const MIN_HIDDEN_CHARS = 8;

/** Replaces the values of the host's entries of `env`, which may be secrets, with `$NAME`. */
export function hideValues(
  text: string,
  env: Readonly<Record<string, string | null>> = {},
): string {
  const entries = Object.entries(env).map(([name, value]) => ({ name, value: value ?? "" }));
  return entries
    .filter(({ value }) => value.length >= MIN_HIDDEN_CHARS)
    .sort((one, other) => other.value.length - one.value.length)
    .reduce((hidden, { name, value }) => hidden.replaceAll(value, () => `$${name}`), text);
}
