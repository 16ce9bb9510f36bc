/** Whether a person trusts a folder, with all permissions and programs of its settings. */
import { createHash } from "node:crypto";
import { homedir } from "node:os";
import { join } from "node:path";
import type { FolderFindings, UntrustedFolder } from "../../client/host-api.ts";
import { ApiError } from "../api/api-error.ts";
import { LOCAL, SIMULATOR } from "../bridges/places.ts";
import { readFolderConfig } from "../files/folder-config.ts";
import type { CommandPorts } from "./command-ports.ts";
import { dataIn, type HostData } from "./host-data.ts";

export type Folder = { readonly place: string; readonly dir: string };

type TrustPorts = Pick<CommandPorts, "journal" | "config">;

/**
 * A person is asked about a folder once, and again when its settings grant more than at that time. Rejects
 * with `ApiError` 409 `untrusted_dir`.
 */
export async function checkTrust(
  { journal, config }: TrustPorts,
  { place, dir, isTrusted }: Folder & { readonly isTrusted: boolean },
): Promise<void> {
  if (place === SIMULATOR || (place === LOCAL && dir === config.dir)) return;
  const findings =
    place === LOCAL
      ? { ...(await readFolderConfig(dir, userFolder())), host_data: dataShown(dir, config.data) }
      : undefined;
  const grants = findings === undefined ? [] : grantsOf(findings);
  const accepted = await journal.trustedGrants(place, dir);
  if (accepted !== undefined && new Set(grants).isSubsetOf(new Set(accepted))) return;
  if (isTrusted) {
    await journal.trust(place, dir, grants);
    return;
  }
  throw untrusted({ place, dir, was_trusted: accepted !== undefined, ...findings });
}

/** The folder of the user's own settings, which Claude reads in every project. */
function userFolder(): string {
  return process.env["CLAUDE_CONFIG_DIR"] ?? join(homedir(), ".claude");
}

function dataShown(dir: string, data: HostData): readonly string[] {
  return dataIn(dir, data) === "none" ? [] : [data.path];
}

function untrusted(details: UntrustedFolder): ApiError {
  const { dir, was_trusted } = details;
  const why = was_trusted ? "grants more than when it was trusted" : "was never used here";
  const message = `${dir} ${why}: repeat with trust:true if what it grants and starts is trusted`;
  return new ApiError(409, "untrusted_dir", message, details);
}

/** One hash for each finding: the texts may be long, and may hold secrets. */
function grantsOf(findings: FolderFindings): string[] {
  return Object.entries(findings).flatMap(([list, found]) =>
    found.map((grant: unknown) =>
      createHash("sha256")
        .update(JSON.stringify([list, grant]))
        .digest("base64url"),
    ),
  );
}
