/** An object whose fields belong to Claude, a tool or an MCP server. */
import { z } from "zod";

export const anyObject = z.record(z.string(), z.unknown());
