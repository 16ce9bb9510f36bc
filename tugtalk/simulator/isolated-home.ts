/**
 * A throw-away home for a real `claude`: folders, prepared configuration, and an environment that
 * holds nothing of the developer's own.
 */
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The home of an isolated CLI, and its API. */
export type IsolatedPlace = {
  readonly home: string;
  readonly configDir: string;
  readonly apiUrl: string;
  /** Temporary files of the CLI and of its tools; absent means a folder `tmp` in the home. */
  readonly tmpDir?: string;
};

/** The folders of one throw-away home. */
export type IsolatedHome = {
  /** Has all folders below; a test may add more folders beside the project. */
  readonly root: string;
  readonly home: string;
  readonly configDir: string;
  readonly project: string;
  readonly tmpDir: string;
  /** The complete environment for a CLI of this home with the API at `apiUrl`. */
  environment(apiUrl: string): Record<string, string>;
  /** Deletes all folders. End the CLI first, since it writes until it exits. */
  remove(): Promise<void>;
};

/** Not a secret: the stand-in API takes any key. */
const DUMMY_API_KEY = "dummy-key-for-the-stand-in-api";

/** The CLI remembers an approved key by its last 20 characters. */
const REMEMBERED_KEY_CHARS = 20;

/** The whole environment of an isolated CLI: nothing but PATH is inherited. */
export function isolatedEnvironment(place: IsolatedPlace): Record<string, string> {
  const tmpDir = place.tmpDir ?? join(place.home, "tmp");
  return {
    PATH: process.env["PATH"] ?? "/usr/local/bin:/usr/bin:/bin",
    HOME: place.home,
    TMPDIR: tmpDir,
    // 2.1.330 keeps task output and sockets in /tmp by default.
    CLAUDE_CODE_TMPDIR: tmpDir,
    CLAUDE_CONFIG_DIR: place.configDir,
    ANTHROPIC_BASE_URL: place.apiUrl,
    ANTHROPIC_API_KEY: DUMMY_API_KEY,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
    // 2.1.38 calls the real API's host for settings in spite of the settings above; nobody listens here.
    HTTPS_PROXY: "http://127.0.0.1:9",
    NO_PROXY: "127.0.0.1,localhost",
    LANG: "C.UTF-8",
    SHELL: "/bin/sh",
  };
}

/**
 * Makes a home with an empty project folder under the system's temporary folder.
 * `trusted` says that the user has accepted the folder, so its own permission rules count (§1).
 */
export async function createIsolatedHome(options?: { trusted?: boolean }): Promise<IsolatedHome> {
  // The CLI reports real paths, and on macOS the temporary folder is a link.
  const root = await realpath(await mkdtemp(join(tmpdir(), "claude-home-")));
  const home = join(root, "home");
  const place = {
    root,
    home,
    configDir: join(home, ".claude"),
    project: join(root, "project"),
    tmpDir: join(root, "tmp"),
  };
  for (const folder of [place.configDir, place.project, place.tmpDir]) {
    await mkdir(folder, { recursive: true });
  }
  const configuration = buildConfiguration(place.project, options?.trusted ?? false);
  await writeFile(join(place.configDir, ".claude.json"), JSON.stringify(configuration));
  return {
    ...place,
    environment: (apiUrl) => isolatedEnvironment({ ...place, apiUrl }),
    remove: () => rm(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  };
}

function buildConfiguration(project: string, isTrusted: boolean): object {
  return {
    hasCompletedOnboarding: true,
    customApiKeyResponses: { approved: [DUMMY_API_KEY.slice(-REMEMBERED_KEY_CHARS)], rejected: [] },
    projects: { [project]: { hasTrustDialogAccepted: isTrusted } },
  };
}
