/** The extensions of MCP that the gateway can route, by their identifiers (SEP-2133, "Extension Identifiers"). */
export const mcpExtensions = {
  /** MCP Apps: tools with views, which are resources with HTML (specification of 2026-01-26). */
  apps: 'io.modelcontextprotocol/ui',
  /** Skills (SEP-2640). */
  skills: 'io.modelcontextprotocol/skills',
  /** Tasks of 2026-07-28 (SEP-2663). Older revisions have tasks in their core. */
  tasks: 'io.modelcontextprotocol/tasks',
} as const
