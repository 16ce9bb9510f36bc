/** An object whose fields are those of Claude, of a tool or of an MCP server. */
import { z } from "zod";

export const anyObject = z.record(z.string(), z.unknown());
