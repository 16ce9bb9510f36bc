/** Sources of the ids that the stand-in makes up. */

/** Gives another id with each call, in the form of a UUID. */
export type NewId = () => string;

/** Ids that depend on `seed`; random without one. */
export function openIds(seed: string | undefined): NewId {
  if (seed === undefined) return () => crypto.randomUUID();
  let count = 0;
  return () => {
    count += 1;
    return asUuid(new Bun.CryptoHasher("sha256").update(`${seed} ${count}`).digest("hex"));
  };
}

/** Sets the digits of version and variant, which some readers of UUIDs check. */
function asUuid(hex: string): string {
  return hex.replace(
    /^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/,
    (_all, ...parts: readonly string[]) => {
      const [first, second, third, fourth, fifth] = parts;
      return `${first}-${second}-4${third}-a${fourth}-${fifth}`;
    },
  );
}
