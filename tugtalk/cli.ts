#!/usr/bin/env bun
/** The installed command: the bridge. */
import { runBridge } from "./src/main.ts";

// Not awaited: the bundle is a CommonJS one, for its bytecode, and those cannot wait at the top.
void runBridge();
