/** The requirements for the extensions of MCP: `APP-` for MCP Apps, `SKILL-` for skills, `EXT-` for all of them. */
export const extensionRequirements = {
  'APP-1': {
    source: 'MCP Apps 2026-01-26, UI Resource Format',
    behaviour:
      'views keep their scheme behind a prefix, wherever tools and results name them, and are read under these URIs, listed or not',
  },
  'APP-2': {
    source: 'MCP Apps 2026-01-26, Communication Protocol',
    behaviour:
      'a view may call tools by the names of its backend: they are listed for hosts that show views, and never guessed',
  },
  'APP-3': {
    source: 'MCP Apps 2026-01-26, Client and Server Capability Negotiation',
    behaviour:
      'clients of every revision find the extension declared, and backends learn what the client shows; a shared backend always does',
  },
  'APP-4': {
    source: 'MCP Apps 2026-01-26, Security Implications',
    behaviour: "a backend's own logins and origins never reach a client, and the bytes of a view are unchanged",
  },
  'SKILL-1': {
    source: 'SEP-2640, Skills',
    behaviour:
      'the skills of all backends are one list, with public URIs, and with frontmatter, digests and sizes as their backends have them',
  },
  'SKILL-2': {
    source: 'SEP-2640, Skills',
    behaviour:
      'a skill and its files are read by public URIs and by those that skills contain, listed or not, and never guessed',
  },
  'SKILL-3': {
    source: 'SEP-2640, Directory Read',
    behaviour: 'directories of skills are listed, also for backends that list none',
  },
  'EXT-1': {
    source: 'DESIGN 11, extensions',
    behaviour:
      "each backend of a tenant has an endpoint of its own, with its own names and URIs, for the tenant's members alone",
  },
  'EXT-2': {
    source: 'SEP-2133, and DESIGN 11',
    behaviour:
      'at that endpoint unknown extensions pass in both directions; at the endpoint of several backends they are neither declared nor routed',
  },
} as const
