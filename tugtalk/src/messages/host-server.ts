/** The name of tugtalk's MCP server, whose tools are the host's. Claude knows one as `mcp__host__<name>`. */
export const HOST_SERVER = "host";

/** The error for another server of the host with this name. */
export const NAME_IS_TAKEN = `the name ${HOST_SERVER} is that of the server of host_tools`;
