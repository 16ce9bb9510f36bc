/** The home folder of the user, by HOME unless that is missing or empty, which would make paths relative. */
export function homeFolder(
  env: Readonly<Record<string, string | null | undefined>> = process.env,
): string {
  // `node:os` is loaded only where it is needed, since it would show in every start of the bridge.
  return env["HOME"] || process.getBuiltinModule("node:os").homedir();
}
