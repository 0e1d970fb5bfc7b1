/** The requirements for the extensions of MCP: `APP-` for MCP Apps, `SKILL-` for skills, `TASK-` for tasks, `EXT-` for all of them. */
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
  'APP-5': {
    source: 'MCP Apps 2026-01-26, Hosting Considerations',
    behaviour:
      "an operator may keep the origins of a backend's views, drop them, or have those made from a URL made for the backend's own endpoint",
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
  'TASK-1': {
    source: 'SEP-2663, Tasks',
    behaviour:
      'a tool that runs only as a task gives one to clients of 2026-07-28 that take tasks, readable at any node by their caller alone',
  },
  'TASK-2': {
    source: 'SEP-2663, Tasks',
    behaviour:
      "a backend's task becomes the client's own, with its result, error, questions and cancellation; clients of every revision get its result",
  },
  'TASK-3': {
    source: 'SEP-2663, Negotiation, and 2026-07-28, Streamable HTTP',
    behaviour: 'requests about tasks need the declaration and, over HTTP, the header with the id of the task',
  },
  'TASK-4': {
    source: 'SEP-2663, Task Status Notifications',
    behaviour: 'a subscription to tasks gets each new status of the own tasks that it names',
  },
  'TASK-5': {
    source: 'DESIGN 2, an exchange outlives its client',
    behaviour:
      'a task that a backend has started for a job is waited for by another node when the one that runs the job dies, and is not started twice',
  },
  'EXT-1': {
    source: 'DESIGN 11, extensions',
    behaviour:
      "each backend of a tenant has an endpoint of its own, with its own names and URIs, for the tenant's members alone",
  },
  'EXT-2': {
    source: 'SEP-2133, and DESIGN 11',
    behaviour:
      'at that endpoint unknown extensions pass in both directions, with their requests and notifications; at the endpoint of several backends they are neither declared nor routed',
  },
  'EXT-3': {
    source: 'SEP-2133, and 2026-07-28, Subscriptions',
    behaviour:
      'at that endpoint a client listens for what only the backend understands: it gets what the backend honours, also after the backend was lost, and no other client does',
  },
  'EXT-4': {
    source: 'SEP-2133, and DESIGN 11',
    behaviour:
      'unknown extensions that the operator names are declared at the endpoint of several backends too, with the settings on which the backends agree',
  },
} as const
