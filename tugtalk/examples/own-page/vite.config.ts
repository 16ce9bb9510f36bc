/** Serves the page, and asks the host in its name: the token stays on this side. */
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { defineConfig, type ProxyOptions } from "vite";

const { TUGTALK_HOST = "http://127.0.0.1:7717", TUGTALK_TOKEN_FILE, XDG_STATE_HOME } = process.env;

function readToken(): string {
  const state = XDG_STATE_HOME || `${homedir()}/.local/state`;
  const file = TUGTALK_TOKEN_FILE ?? `${state}/tugtalk/host/token`;
  try {
    return readFileSync(file, "utf8").trim();
  } catch (cause) {
    const remedy =
      "Start `npx tugtalk host`, or name the file that it prints by TUGTALK_TOKEN_FILE";
    throw new Error(`No token of a host in ${file}. ${remedy}.`, { cause });
  }
}

/** Vite checks the name for pages, but not for WebSockets that it passes on. */
const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

const proxyWith = (token: string): ProxyOptions => ({
  target: TUGTALK_HOST,
  changeOrigin: true, // The host knows its own names only,
  headers: { origin: TUGTALK_HOST, authorization: `Bearer ${token}` }, // and refuses other sites.
  ws: true,
  // With the token this server has to keep other sites out itself, also those whose name leads here.
  bypass: ({ headers: { host = "", origin } }) =>
    LOOPBACK.test(host) && (origin === undefined || origin === `http://${host}`)
      ? undefined
      : false,
});

export default defineConfig(({ command }) => {
  if (command === "build") return {}; // A build needs neither host nor token.
  const proxy = proxyWith(readToken());
  return { server: { proxy: { "/api": proxy, "/ws": proxy } } };
});
