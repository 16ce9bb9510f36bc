#!/usr/bin/env bun
/** The installed command: the bridge. */
import { runBridge } from "./src/main.ts";

await runBridge();
