/** The gateway of many tenants that the profile `saas` imitates (its API reference): `B-` and its sections in order. */
export const saasRequirements = {
  'B-1': {
    source: 'API Reference, Base URL Pattern',
    behaviour: 'POST and GET at /mcp/{tenant}[/{session}]; the session in header, path or query; sources agree or 400',
  },
  'B-2': {
    source: 'API Reference, Asynchronous Response System',
    behaviour:
      'a request is immediately 202 {"status":"queued"}, a notification 202 and empty; answers come on the stream',
  },
  'B-3': {
    source: 'API Reference, Headers',
    behaviour: 'every request carries its token, a POST its content type, one of 2025-06-18 its revision',
  },
  'B-4': {
    source: 'API Reference, Message Format',
    behaviour: 'answers and notifications on the stream are JSON-RPC 2.0; invalid JSON is answered directly',
  },
  'B-5': {
    source: 'API Reference, Session Management',
    behaviour: 'only initialize is answered directly: 200, Mcp-Session-Id, capabilities as printed',
  },
  'B-6': {
    source: 'API Reference, Session Validation',
    behaviour: 'a request without a session is 400 and one with an unknown or foreign one 404, both -32001',
  },
  'B-7': { source: 'API Reference, ping', behaviour: 'ping returns pong and the time' },
  'B-8': { source: 'API Reference, tools/list', behaviour: 'tools as printed, with annotations from 2025-03-26 on' },
  'B-9': { source: 'API Reference, tools/call', behaviour: 'tool results are JSON text, never structured' },
  'B-10': { source: 'API Reference, prompts/list', behaviour: 'prompts as printed' },
  'B-11': { source: 'API Reference, prompts/get', behaviour: 'content of messages is a list' },
  'B-12': { source: 'API Reference, resources/list', behaviour: 'resources as printed' },
  'B-13': { source: 'API Reference, resources/read', behaviour: 'server://status returns the status of the server' },
  'B-14': {
    source: 'API Reference, resources/templates/list',
    behaviour: 'file://{path} is listed, and reads only files of one folder',
  },
  'B-15': {
    source: 'API Reference, completions/complete',
    behaviour: 'from 2025-03-26 on, arguments of a tool are completed from its schema; before, there is no such method',
  },
  'B-16': {
    source: 'API Reference, elicitation/create',
    behaviour: 'at 2025-06-18, a form that a client asks for is given back under the id of its request',
  },
  'B-17': {
    source: 'API Reference, sampling/createMessage',
    behaviour: 'a sampling request is answered with its receipt',
  },
  'B-18': { source: 'API Reference, Audio Content', behaviour: 'audio passes from 2025-03-26 on, with its name' },
  'B-19': {
    source: 'API Reference, Progress Notifications',
    behaviour: 'progress is also sent without a token, and with its message from 2025-03-26 on',
  },
  'B-20': {
    source: 'API Reference, JSON-RPC Batching',
    behaviour: 'at 2025-03-26 a batch is answered as one array on the stream; elsewhere it is refused',
  },
  'B-21': {
    source: 'API Reference, Server-Sent Events',
    behaviour: 'at 2024-11-05 a stream is events: first the endpoint, absolute and with its session, then messages',
  },
  'B-22': {
    source: 'API Reference, Streamable HTTP',
    behaviour: 'from 2025-03-26 on a stream is lines: first notifications/connection, then messages, pings between',
  },
  'B-23': {
    source: 'API Reference, Error Code Reference',
    behaviour: 'authentication -32000, session -32001, HTTP method -32002, else the standard codes',
  },
  'B-24': {
    source: 'API Reference, Complete Session Flow',
    behaviour: 'the three requests of the document, with their exact headers, are answered as printed',
  },
  'B-25': {
    source: 'API Reference, JavaScript Client Implementation',
    behaviour: 'the client of the document works as it is printed, with streams of both kinds',
  },
  'B-26': {
    source: 'Junctor',
    behaviour: 'a client that disconnects after a 202 and reconnects to any node gets the answer; the call ran once',
  },
  'B-27': {
    source: 'Junctor',
    behaviour: 'a session, its stream and its answers belong to its caller alone, at its own tenant',
  },
  'B-28': {
    source: 'Junctor',
    behaviour:
      'answers that a lost connection may not have delivered are sent again: with a cursor never twice, without one once more',
  },
  'B-30': {
    source: 'API Reference, Protocol Errors (via Streaming)',
    behaviour: 'a refused request with an id in a session is 202 as well, and its error comes on the stream',
  },
  'B-31': {
    source: 'API Reference, Error Code Reference',
    behaviour: 'when the tenant is unknown, errors have the form of the configured profile',
  },
  'B-32': {
    source: 'API Reference, Authentication Errors, OAuth Endpoint Configuration, JavaScript Client Implementation',
    behaviour:
      'the client of the document, word for word, is sent to the endpoints of its 401, and works with the token from there: after a refresh too, and not after a revocation',
  },
  'B-33': {
    source: 'API Reference, Authentication Errors',
    behaviour:
      'whatever is wrong with the credentials, the error is the printed one; the header `WWW-Authenticate` says what is wrong',
  },
} as const
