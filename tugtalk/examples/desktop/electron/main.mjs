/** A desktop application in Electron: starts `tugtalk host` for itself, and shows its page. */
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { app, BrowserWindow, shell } from "electron";

const { resolve } = createRequire(import.meta.url);
const launcher = join(resolve("tugtalk/package.json"), "..", "dist", "tugtalk.js");

await app.whenReady();
// The data folder lies in no session's folder, since Claude must not read the token in it.
const data = join(app.getPath("userData"), "host");
const flags = ["--json", "--port=0", `--data=${data}`, `--dir=${app.getPath("documents")}`];
const host = spawn(process.execPath, [launcher, "host", ...flags], {
  // Electron is Node by this variable.
  env: { ...process.env, ELECTRON_RUN_AS_NODE: "1" },
  stdio: ["ignore", "pipe", "inherit"],
});
app.on("will-quit", () => host.kill()); // It ends its Claudes, and then itself.
host.on("exit", () => app.quit());

createInterface({ input: host.stdout }).once("line", (line) => {
  const window = new BrowserWindow({ width: 1200, height: 800 });
  window.webContents.setWindowOpenHandler(({ url }) => {
    if (/^https?:/.test(url)) void shell.openExternal(url); // Links of Claude's, in the browser.
    return { action: "deny" };
  });
  void window.loadURL(JSON.parse(line).url);
});
