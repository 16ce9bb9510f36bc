/**
 * Creates sessions, after the checks that come first: whether a folder is trusted and a conversation free.
 */
import { win32 } from "node:path";
import { worktreeFolder } from "../../src/base/repository.ts";
import { ApiError, badField } from "../api/api-error.ts";
import type { HostSession, HostSessions } from "../api/host-session.ts";
import { isOnMachine, LOCAL } from "../bridges/places.ts";
import type { MoveFields, NewSessionFields } from "../fields/session-fields.ts";
import { isFolder, realDir } from "../files/real-dir.ts";
import type { CommandPorts, HostDefaults } from "./command-ports.ts";
import { checkTrust, type Folder } from "./folder-trust.ts";
import { dataIn, dataRefusal } from "./host-data.ts";

/** For how long a written conversation counts as in use. */
const IN_USE_MS = 60_000;

export type NewSessionPorts = Pick<CommandPorts, "journal" | "config" | "pastSessions" | "now"> & {
  readonly sessions: Pick<HostSessions, "create" | "checkFree">;
};

/**
 * Rejects with `ApiError`: 400 for a bad folder, 409 `untrusted_dir` or `in_use`, and the errors of `create`.
 */
export async function createSession(
  ports: NewSessionPorts,
  fields: NewSessionFields,
): Promise<HostSession> {
  const { dir, place } =
    (await knownFolder(ports, fields.request_id)) ?? (await checkedFolder(ports, fields));
  const { trust: _trust, force: _force, ...wanted } = fields;
  return ports.sessions.create({ ...wanted, dir, place });
}

/** Rejects with `ApiError` for a folder as `createSession` does, and as the sessions' `move` does. */
export async function moveSession(
  ports: Omit<NewSessionPorts, "sessions"> & { readonly sessions: HostSessions },
  { id, force = false, ...folder }: MoveFields,
): Promise<HostSession> {
  const { sessions } = ports;
  // A missing session is refused before its folder is checked.
  const options = { worktree: sessions.worktreeOf(id) };
  const to = await checkedFolder(ports, { ...folder, options });
  await sessions.move(id, { ...to, isForced: force });
  return sessions.get(id);
}

/** The folder of the session that the same request has created, and that is given again. */
function knownFolder({ journal }: NewSessionPorts, request_id: string | undefined) {
  return request_id === undefined ? undefined : journal.sessionOfRequest(request_id);
}

type FolderFields = Pick<NewSessionFields, "place" | "dir" | "trust" | "options"> &
  Omit<Resumed, keyof Folder>;

async function checkedFolder(ports: NewSessionPorts, fields: FolderFields): Promise<Folder> {
  const place = fields.place ?? ports.config.place;
  // Checked before a person is asked about the folder.
  if (!isOnMachine(place) && !ports.config.places.includes(place))
    throw new ApiError(404, "unknown_place", `there is no place ${place}`);
  const chosen = chosenFolder(ports.config, place, fields.dir);
  const dir = isOnMachine(place) ? await realDir(chosen) : farDir(chosen);
  if (place === LOCAL && dataIn(dir, ports.config.data) === "refused")
    throw new ApiError(400, "data_in_dir", dataRefusal(dir, ports.config.data));
  const work = isOnMachine(place) ? await workFolder(dir, fields.options?.worktree) : dir;
  // A worktree that is still to be made has the grants of its repository.
  const granting = (await isFolder(work)) ? work : dir;
  await checkTrust(ports, { place, dir: granting, isTrusted: fields.trust === true });
  await checkInUse(ports, { ...fields, place, dir: work });
  return { place, dir: work };
}

/**
 * The folder where Claude works: the given one, or a worktree of its repository. Rejects with `ApiError` 400.
 */
async function workFolder(dir: string, worktree: string | undefined): Promise<string> {
  if (worktree === undefined) return dir;
  const path = await worktreeFolder(dir, worktree);
  if (path !== undefined) return path;
  throw new ApiError(400, "no_repository", `a worktree needs a Git repository: ${dir} is in none`);
}

/** A folder of another machine. The start of Claude in it shows whether it exists. */
function farDir(path: string): string {
  // Absolute paths of Windows, and of all other systems.
  if (win32.isAbsolute(path)) return path;
  throw new ApiError(400, "not_absolute", `not an absolute path: ${path}`);
}

/** The named folder, or the host's own, which other machines do not have. Throws `ApiError` 400. */
export function chosenFolder(config: HostDefaults, place: string, dir: string | undefined): string {
  if (dir !== undefined) return dir;
  if (isOnMachine(place)) return config.dir;
  throw badField("dir", `is needed for the place ${place}`);
}

function asFolderRefusal(error: unknown): never {
  if (!(error instanceof ApiError && error.code === "no_history")) throw error;
  throw new ApiError(400, "no_such_dir", error.message);
}

type Resumed = Folder & Pick<NewSessionFields, "resume" | "fork" | "force">;

/**
 * Rejects if another process may be writing the conversation, since two writers would damage it. A copy is
 * always free.
 */
async function checkInUse(
  ports: NewSessionPorts,
  { place, dir, ...fields }: Resumed,
): Promise<void> {
  const { resume, fork, force } = fields;
  if (resume === undefined || fork === true) return;
  await ports.sessions.checkFree(resume);
  if (force === true) return;
  const { sessions } = await ports.pastSessions({ place, dir }).catch(asFolderRefusal);
  const past = sessions.find(({ session_id }) => session_id === resume);
  if (past === undefined || ports.now() - Date.parse(past.updated_at) >= IN_USE_MS) return;
  const message = `conversation ${resume} was written to in the last minute: repeat with force:true`;
  throw new ApiError(409, "in_use", message);
}
