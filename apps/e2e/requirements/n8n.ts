/** The gateway on standard input and output that the profile `n8n` imitates (the JSON-RPC API reference): `A-`. */
export const n8nRequirements = {
  'A-1': {
    source: 'JSON-RPC API Reference, Transport',
    behaviour: 'requests are lines of standard input, answers lines of standard output; everything else goes to stderr',
  },
  'A-2': {
    source: 'JSON-RPC API Reference, Message Format',
    behaviour: 'answers are results or errors of JSON-RPC 2.0 with the id of their request; notifications get none',
  },
  'A-3': {
    source: 'JSON-RPC API Reference, Error Codes',
    behaviour: 'only six codes, also for errors of backends; an unknown method is answered with the exact text',
  },
  'A-4': {
    source: 'JSON-RPC API Reference, initialize',
    behaviour: 'the answer is protocolVersion 2024-11-05, capabilities {tools: {}} and serverInfo, and nothing else',
  },
  'A-5': {
    source: 'JSON-RPC API Reference, initialized',
    behaviour: 'initialized is accepted like notifications/initialized, and not answered',
  },
  'A-6': {
    source: 'JSON-RPC API Reference, tools/list',
    behaviour: "the gateway's own tools come first, word for word; tools of backends carry their namespace",
  },
  'A-7': {
    source: 'JSON-RPC API Reference, tools/call',
    behaviour: 'results are content; an unknown tool is answered with the exact text',
  },
  'A-8': {
    source: 'JSON-RPC API Reference, Check Gateway Status',
    behaviour: "gateway_status reports the gateway and each of the tenant's backends",
  },
  'A-9': {
    source: 'JSON-RPC API Reference, Query Events',
    behaviour: "get_events returns the tenant's events, oldest first, with filters; an invalid filter is -32602",
  },
  'A-10': {
    source: 'JSON-RPC API Reference, Resource Operations',
    behaviour: 'resources/list is answered with the existing resources, or none',
  },
  'A-11': {
    source: 'JSON-RPC API Reference, Prompt Operations',
    behaviour: 'prompts/list is answered with the existing prompts, or none',
  },
  'A-12': {
    source: 'JSON-RPC API Reference, Connection Lifecycle',
    behaviour: 'a session lasts as long as its standard input; then the gateway and its backends end',
  },
  'A-13': {
    source: 'JSON-RPC API Reference, Complete Example',
    behaviour: 'the full session, typed line by line, is answered as the document prints it',
  },
  'A-14': {
    source: 'JSON-RPC API Reference, Backend Forwarding',
    behaviour: 'the namespace is removed before forwarding, and a result without content is wrapped',
  },
  'A-15': {
    source: 'JSON-RPC API Reference, Subprocess Communication',
    behaviour:
      'a backend is a child process, also with python -m, with a minimal environment and its configured variables',
  },
  'A-16': {
    source: 'JSON-RPC API Reference, Manual Testing with stdio',
    behaviour: 'the session for trying by hand, typed line by line, is answered as the document prints it',
  },
  'A-17': {
    source: 'JSON-RPC API Reference, Integration Tests',
    behaviour:
      'calls work in sequence, also after failures; a backend that cannot start is reported and affects nothing else',
  },
  'A-18': {
    source: 'JSON-RPC API Reference, Transport; Connection Lifecycle',
    behaviour: 'at the end of the input every request that was received is answered, and the exit code is 0',
  },
  'A-19': {
    source: 'Junctor',
    behaviour: 'a tenant with the profile `n8n` does not affect a tenant with plain MCP, nor the reverse',
  },
  'A-20': {
    source: 'Junctor',
    behaviour: 'initialize is answered immediately; lists wait for starting backends, and show later ones as well',
  },
} as const
