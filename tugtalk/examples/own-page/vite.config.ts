/** Serves the page, and asks the host in its name: the token stays on this side. */
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { defineConfig, type ProxyOptions } from "vite";

const { TUGTALK_HOST = "http://127.0.0.1:7717", TUGTALK_TOKEN_FILE } = process.env;
const tokenFile = TUGTALK_TOKEN_FILE ?? `${homedir()}/.local/state/tugtalk/host/token`;
const token = readFileSync(tokenFile, "utf8").trim();

/** Vite checks the name for pages, but not for WebSockets that it passes on. */
const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

const proxy: ProxyOptions = {
  target: TUGTALK_HOST,
  changeOrigin: true, // The host knows its own names only,
  headers: { origin: TUGTALK_HOST, authorization: `Bearer ${token}` }, // and refuses other sites.
  ws: true,
  // With the token this server has to keep other sites out itself, also those whose name leads here.
  bypass: ({ headers: { host = "", origin } }) =>
    LOOPBACK.test(host) && (origin === undefined || origin === `http://${host}`)
      ? undefined
      : false,
};

export default defineConfig({ server: { proxy: { "/api": proxy, "/ws": proxy } } });
