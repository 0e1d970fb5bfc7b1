/** Questions of backends to clients: sampling, elicitation, roots. */
export const questionRequirements = {
  'MCP-8.1': {
    source: 'Sampling, Elicitation, Roots',
    behaviour: "a backend's question reaches the client whose request caused it",
  },
  'MCP-8.2': {
    source: 'Transports, Streamable HTTP',
    behaviour: 'a question comes on the stream of the request that caused it',
  },
  'MCP-8.3': {
    source: 'Lifecycle, Capability Negotiation',
    behaviour: 'a question that the client did not declare is answered by the gateway',
  },
  'MCP-8.4': {
    source: 'Sampling, Elicitation, Roots',
    behaviour: 'concurrent questions are each answered by their own client, also when they nest',
  },
  'MCP-8.5': { source: 'Roots', behaviour: 'a change of roots reaches the backends of that session' },
  'MCP-8.6': {
    source: 'Sampling',
    behaviour: 'a sampling request passes with its preferences, and its answer with them',
  },
  'MCP-8.7': { source: 'Elicitation', behaviour: 'an elicitation names the asking backend' },
  'MCP-8.8': {
    source: 'Transports, stdio; Tasks',
    behaviour:
      'a question that does not say which request caused it is asked on a request whose client waits, not in a task that began later',
  },
  'MCP-8.9': {
    source: 'Roots; Transports, stdio',
    behaviour: 'a backend that asks while it sets the level for the gateway gets the answer of the client',
  },
  'MCP-8.10': {
    source: 'Roots; Tasks',
    behaviour: 'a backend that asks for the changed roots gets them at once, also while it runs a task',
  },
  'MCP-8.11': {
    source: 'Roots; Lifecycle, Capability Negotiation',
    behaviour: 'a server that clients share is not told that they have roots: it would keep those of one for all',
  },
} as const
