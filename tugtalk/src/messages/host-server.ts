/** The name of tugtalk's MCP server, whose tools are the host's. Claude knows one as `mcp__host__<name>`. */
export const HOST_SERVER = "host";

/** Why no other server of the host can have it. */
export const NAME_IS_TAKEN = `the name ${HOST_SERVER} is that of the server of host_tools`;
