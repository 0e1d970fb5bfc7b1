/** What source documents ask of the systems that profiles stand for: `A-` and `D-` with their sections. */
export const systemRequirements = {
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
    behaviour: "six codes and no other, also for a backend's own errors; an unknown method is answered to the letter",
  },
  'A-4': {
    source: 'JSON-RPC API Reference, initialize',
    behaviour: 'the answer is protocolVersion 2024-11-05, capabilities {tools: {}} and serverInfo, and nothing else',
  },
  'A-5': {
    source: 'JSON-RPC API Reference, initialized',
    behaviour: 'initialized is taken as well as notifications/initialized, and not answered',
  },
  'A-6': {
    source: 'JSON-RPC API Reference, tools/list',
    behaviour: "the gateway's own tools come first, word for word; tools of backends carry their namespace",
  },
  'A-7': {
    source: 'JSON-RPC API Reference, tools/call',
    behaviour: 'results are content; an unknown tool is answered to the letter',
  },
  'A-8': {
    source: 'JSON-RPC API Reference, Check Gateway Status',
    behaviour: "gateway_status tells of the gateway and of each of the tenant's backends",
  },
  'A-9': {
    source: 'JSON-RPC API Reference, Query Events',
    behaviour: "get_events gives the tenant's events, oldest first, filtered as asked; a bad filter is -32602",
  },
  'A-10': {
    source: 'JSON-RPC API Reference, Resource Operations',
    behaviour: 'resources/list is answered with what there is, which may be nothing',
  },
  'A-11': {
    source: 'JSON-RPC API Reference, Prompt Operations',
    behaviour: 'prompts/list is answered with what there is, which may be nothing',
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
    behaviour: 'a backend is a child process, also one of python -m, with a minimal environment and what its own says',
  },
  'A-16': {
    source: 'JSON-RPC API Reference, Manual Testing with stdio',
    behaviour: 'the session for trying by hand, typed line by line, is answered as the document prints it',
  },
  'A-17': {
    source: 'JSON-RPC API Reference, Integration Tests',
    behaviour: 'calls follow each other, failed ones too; a backend that cannot start is told of and spoils nothing',
  },
  'A-18': {
    source: 'JSON-RPC API Reference, Transport; Connection Lifecycle',
    behaviour: 'at the end of the input every request that was received is answered, and the exit code is 0',
  },
  'A-19': {
    source: 'Junctor',
    behaviour: 'of a tenant that is system A nothing shows at a tenant beside it that is plain MCP, nor the other way',
  },
  'A-20': {
    source: 'Junctor',
    behaviour:
      'initialize answers at once; lists wait for backends that are starting, and show them whenever they come',
  },
  'D-1': {
    source: 'Notification compliance, Component 1, Notification Detection',
    behaviour: 'a message with an id is a request, one without is a notification, whatever its method',
  },
  'D-2': {
    source: 'Notification compliance, Component 2, Response Suppression',
    behaviour:
      'a notification is never answered, be it known, unknown, malformed or failing, with a session or without',
  },
  'D-3': {
    source: 'Notification compliance, Component 2, Response Suppression',
    behaviour: 'notifications in a batch are not answered; a batch of nothing else is not either',
  },
  'D-4': {
    source: 'Notification compliance, Component 3, Error Response id Fix; Parse Error Flow',
    behaviour: 'what is no JSON is answered, to the letter, with id null, -32700 and "Parse error"',
  },
  'D-5': {
    source: 'Notification compliance, Notification Flow; Tracing',
    behaviour: 'each notification that is received leaves a debug line with its method',
  },
  'D-6': {
    source: 'Notification compliance, Request Flow',
    behaviour: 'a request is answered with jsonrpc, id and result, in this order',
  },
  'D-7': {
    source: 'Notification compliance, Integration Tests',
    behaviour: 'initialize and a notification, sent to the command without a last newline, give exactly one line',
  },
  'D-8': {
    source: 'Notification compliance, Metrics & Observability',
    behaviour: 'mcp_notifications_total counts those received, by method alone; methods that nobody knows are other',
  },
} as const
