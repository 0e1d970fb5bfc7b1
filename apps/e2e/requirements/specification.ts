/** The requirements of the specification's five revisions for a gateway: `MCP-` and a number. */
export const specificationRequirements = {
  'MCP-1.1': { source: 'Lifecycle', behaviour: 'a request before initialize is refused, ping is answered' },
  'MCP-1.2': {
    source: 'Lifecycle, Version Negotiation',
    behaviour: 'a supported revision is answered with the same one, an unknown one with the newest of the handshake',
  },
  'MCP-1.3': {
    source: 'Lifecycle, Version Negotiation',
    behaviour: 'a backend that answers with an unknown revision is not used',
  },
  'MCP-1.4': {
    source: 'Lifecycle, Capability Negotiation',
    behaviour: 'features that were not negotiated are not used, in either direction',
  },
  'MCP-1.5': {
    source: 'Lifecycle, Initialization',
    behaviour: "a backend gets notifications/initialized, and no client's work before its handshake is finished",
  },
  'MCP-1.6': {
    source: 'Lifecycle, Timeouts',
    behaviour: 'a call that takes too long is cancelled at its backend and answered with an error',
  },
  'MCP-1.7': {
    source: 'Lifecycle, Shutdown',
    behaviour: 'child processes end with their stdin, upstream HTTP sessions are deleted',
  },
  'MCP-1.8': {
    source: 'Lifecycle, Capability Negotiation',
    behaviour:
      'the features of this client are declared to a backend of isolation session; to a shared one only when it distinguishes requests',
  },
  'MCP-1.9': {
    source: 'Lifecycle, Capability Negotiation',
    behaviour: 'a client is offered what at least one backend offers',
  },
  'MCP-1.11': { source: 'Lifecycle, Initialization', behaviour: "serverInfo is the gateway's own" },
  'MCP-1.12': { source: 'Lifecycle, Initialization', behaviour: "clientInfo towards backends is the gateway's own" },
  'MCP-1.13': {
    source: 'Lifecycle, Initialization',
    behaviour: 'instructions are merged under their prefixes, in the order of the configuration',
  },
  'MCP-1.14': {
    source: 'Lifecycle, Initialization',
    behaviour: 'a backend that cannot start does not fail the handshake of clients, nor the others',
  },
  'MCP-2.1': {
    source: 'Base Protocol, Messages',
    behaviour: 'answers are valid JSON-RPC 2.0, notifications get none, an id of null is refused',
  },
  'MCP-2.2': {
    source: 'Base Protocol, Requests',
    behaviour: 'an id in flight is refused a second time, and the first is answered',
  },
  'MCP-2.3': {
    source: 'Base Protocol, Batching (2025-03-26)',
    behaviour: 'batches are answered at 2025-03-26 and refused at every other revision',
  },
  'MCP-2.4': {
    source: 'Base Protocol, Errors',
    behaviour: 'each kind of bad message gets its own code; an unreadable id is null or left out by revision',
  },
  'MCP-2.5': {
    source: 'Base Protocol, Requests',
    behaviour: 'ids are returned with value and type, regardless of the ids of other clients',
  },
  'MCP-2.6': { source: 'Base Protocol, Responses', behaviour: 'a late answer from a backend reaches no client' },
  'MCP-2.7': {
    source: 'Base Protocol, Messages',
    behaviour: 'unknown members and exact numbers pass in both directions',
  },
  'MCP-2.8': {
    source: 'Base Protocol, Errors',
    behaviour:
      "a backend's error passes unchanged, except for the URI of a resource; an error of the gateway names the backend and the reason",
  },
  'MCP-2.9': { source: 'Base Protocol, Messages', behaviour: 'size, depth, batch length and id length are bounded' },
  'MCP-2.10': {
    source: 'Base Protocol, Responses',
    behaviour: 'a result of a backend that is no object is an error for the client, in both eras',
  },
  'MCP-2.11': {
    source: 'Base Protocol, Responses',
    behaviour: 'a response of a backend with neither result nor error fails its call at once',
  },
  'MCP-2.12': {
    source: 'Base Protocol, Messages',
    behaviour:
      "a handler in the gateway's process never gets another number than was sent: the call is refused, which says where and why",
  },
  'MCP-2.13': {
    source: 'Base Protocol, Responses; the official clients',
    behaviour: 'a backend may write the number of a request as text, or as 1.0, in the id of its response',
  },
  'MCP-3.1': {
    source: 'Transports, stdio',
    behaviour: 'one message a line, nothing else on stdout, no newline inside',
  },
  'MCP-3.2': {
    source: 'Transports, stdio',
    behaviour: "a child's stderr is drained, bounded and logged with its backend's name",
  },
  'MCP-3.3': {
    source: 'Transports, stdio',
    behaviour: "invalid lines on a child's stdout are skipped, and the call continues",
  },
  'MCP-3.8': {
    source: 'Transports, stdio',
    behaviour: "a child's response in other bytes than UTF-8 fails its call immediately, which says why",
  },
  'MCP-3.4': { source: 'Transports, stdio', behaviour: 'a malformed line is answered with a parse error' },
  'MCP-3.5': {
    source: 'Transports, stdio',
    behaviour: 'a client that does not read does not grow the gateway without bound',
  },
  'MCP-3.6': {
    source: 'Transports, stdio',
    behaviour: 'a child gets a minimal environment and its configured variables',
  },
  'MCP-3.7': {
    source: 'Transports, stdio',
    behaviour: 'the end of the input ends the session and its children, after all received requests are answered',
  },
  'MCP-4.1': {
    source: 'Transports, Streamable HTTP',
    behaviour: 'one endpoint for POST, GET and DELETE; other verbs are 405',
  },
  'MCP-4.2': {
    source: 'Transports, Streamable HTTP',
    behaviour: 'an unusable Accept or content type is 406 or 415; wildcards and q-values are usable',
  },
  'MCP-4.3': {
    source: 'Transports, Streamable HTTP',
    behaviour: 'a body is one message, or a batch where the revision has them',
  },
  'MCP-4.4': {
    source: 'Transports, Streamable HTTP',
    behaviour: 'an accepted notification or response is 202 with an empty body',
  },
  'MCP-4.5': {
    source: 'Transports, Streamable HTTP',
    behaviour: 'JSON and SSE answers of backends are both understood',
  },
  'MCP-4.6': {
    source: 'Transports, Streamable HTTP',
    behaviour: 'a stream carries the messages of its request, then the answer, then ends',
  },
  'MCP-4.7': {
    source: 'Transports, Streamable HTTP',
    behaviour: 'a disconnect is not a cancellation: the call continues and its answer can be fetched',
  },
  'MCP-4.8': {
    source: 'Transports, Streamable HTTP',
    behaviour: 'a call that sends a message before its answer gets a stream',
  },
  'MCP-4.9': {
    source: 'Transports, Listening for Messages',
    behaviour: "GET gives the session's own stream, which carries no responses",
  },
  'MCP-4.10': { source: 'Transports, Multiple Connections', behaviour: 'each message goes to exactly one stream' },
  'MCP-4.11': {
    source: 'Transports, Multiple Connections',
    behaviour: 'of several GET streams the newest gets the messages, and when it is gone the one before it',
  },
  'MCP-4.12': {
    source: 'Transports, Listening for Messages',
    behaviour: 'messages that are sent before the GET stream is open wait for it',
  },
  'MCP-4.13': {
    source: 'Transports, Resumability',
    behaviour: 'event ids are unique in the session, and a replay contains only their stream',
  },
  'MCP-4.14': {
    source: 'Transports, Resumability',
    behaviour: 'GET with Last-Event-ID returns the later events, once and in order, on any node',
  },
  'MCP-4.15': {
    source: 'Transports, Sending Messages (2025-11-25)',
    behaviour: 'a stream starts with an event that has an id and no data, at 2025-11-25 only',
  },
  'MCP-4.16': {
    source: 'Transports, Sending Messages (2025-11-25)',
    behaviour: 'a stream contains the time to wait before reconnecting, also when the gateway ends it early',
  },
  'MCP-4.18': {
    source: 'Transports, Resumability',
    behaviour: 'an event id that is unknown, of another session or no longer kept is a 4xx',
  },
  'MCP-4.19': {
    source: 'Transports, Resumability',
    behaviour: 'a broken upstream stream is resumed; a call is never sent twice',
  },
  'MCP-4.20': {
    source: 'Transports, Session Management',
    behaviour: 'initialize gives a random session id of visible ASCII',
  },
  'MCP-4.21': {
    source: 'Transports, Session Management',
    behaviour: 'no session is 400; an unknown, ended or foreign one is 404 on every verb',
  },
  'MCP-4.22': { source: 'Transports, Session Management', behaviour: 'DELETE ends the session' },
  'MCP-4.23': {
    source: 'Transports, Session Management',
    behaviour: 'a backend that has lost its session is initialized again, and subscriptions and level with it',
  },
  'MCP-4.24': {
    source: 'Security Best Practices, Session Hijacking',
    behaviour: 'a session belongs to its principal alone',
  },
  'MCP-4.25': {
    source: 'Transports, Protocol Version Header',
    behaviour: 'an unsupported revision header is 400; a supported one that differs is accepted',
  },
  'MCP-4.26': { source: 'Transports, Security Warning', behaviour: 'a foreign Origin or Host is 403 on every verb' },
  'MCP-4.27': {
    source: 'Transports, Streamable HTTP',
    behaviour: "browsers of allowed origins may send and read the protocol's headers",
  },
  'MCP-4.28': {
    source: 'Transports, Streamable HTTP',
    behaviour: 'streams are not cached, buffered or cut by proxies',
  },
  'MCP-5.1': {
    source: 'Transports, HTTP with SSE (2024-11-05)',
    behaviour: 'a client of 2024-11-05 gets the endpoint as the first event, then its answers as messages',
  },
  'MCP-5.2': {
    source: 'Transports, HTTP with SSE (2024-11-05)',
    behaviour:
      "an endpoint on another origin is refused; the gateway's own endpoint belongs to one client and cannot be guessed",
  },
  'MCP-5.3': {
    source: 'Transports, Backwards Compatibility',
    behaviour: 'HTTP with SSE has its own endpoints beside the endpoint of Streamable HTTP',
  },
  'MCP-5.4': {
    source: 'Transports, Backwards Compatibility',
    behaviour: 'a backend of 2024-11-05 is reached over HTTP with SSE',
  },
  'MCP-5.5': {
    source: 'Transports, HTTP with SSE (2024-11-05)',
    behaviour: "the loss of a backend's only stream ends its calls, that of a client's its session",
  },
  'MCP-5.6': {
    source: 'Transports, Custom Transports',
    behaviour: 'over a WebSocket one text is one message, with the subprotocol mcp, for authenticated clients',
  },
  'MCP-5.7': {
    source: 'Transports, HTTP with SSE (2024-11-05)',
    behaviour: 'a client may post to another node than the node of its stream, and no other client can post there',
  },
  'MCP-6.1': {
    source: 'Tools, List Changed',
    behaviour: "a change of a backend's tools reaches clients once, and the next list shows it",
  },
  'MCP-6.2': {
    source: 'Tools, Tool Names',
    behaviour: "tools are shown under their backend's prefix, in names of at most 64 characters",
  },
  'MCP-6.3': {
    source: 'Tools, Tool Names',
    behaviour: 'each name leads back to its tool; a collision is refused on both sides',
  },
  'MCP-6.4': { source: 'Tools, Schemas', behaviour: 'schemas pass untouched' },
  'MCP-6.5': {
    source: 'Tools, Structured Content',
    behaviour: 'structured content passes; older clients get it as text',
  },
  'MCP-6.7': {
    source: 'Tools, Error Handling',
    behaviour: "an unknown tool is -32602; a tool's own failure is a result",
  },
  'MCP-6.9': { source: 'Tools, Tool Result', behaviour: "links and embedded resources carry the gateway's URIs" },
  'MCP-6.11': { source: 'Resources, Reading', behaviour: 'text and binary contents pass' },
  'MCP-6.12': {
    source: 'Resources, Resource URIs',
    behaviour: 'equal URIs of two backends stay apart, everywhere they occur',
  },
  'MCP-6.13': {
    source: 'Resources, Reading',
    behaviour: 'an unlisted URI is read by the backend whose prefix or template it matches; else -32002',
  },
  'MCP-6.14': {
    source: 'Resources, Subscriptions',
    behaviour: 'an update reaches the sessions that subscribed, and no other',
  },
  'MCP-6.15': { source: 'Resources, List Changed', behaviour: 'many changes of lists are notified once' },
  'MCP-6.16': {
    source: 'Prompts, Getting',
    behaviour: 'prompts are got by their public names; an unknown one is -32602',
  },
  'MCP-6.17': {
    source: 'Completion',
    behaviour: 'completions come from the backend that owns the prompt or template; without one they are empty',
  },
  'MCP-6.18': { source: 'Logging', behaviour: 'setLevel answers an empty object; an unknown level is -32602' },
  'MCP-6.19': { source: 'Logging', behaviour: 'the level belongs to the session; messages name their backend' },
  'MCP-6.20': {
    source: 'Pagination',
    behaviour: 'pages follow each other without a gap; a cursor of null is none, and an invalid one is -32602',
  },
  'MCP-6.21': {
    source: 'Pagination',
    behaviour: "a backend's pages are collected; a cursor that loops ends the collection",
  },
  'MCP-6.24': {
    source: 'Pagination',
    behaviour:
      'a backend whose last page has an empty cursor, or whose pages do not end, offers what it gave, each item once, and log and status say what it does; one that cannot list is unavailable for that reason',
  },
  'MCP-6.25': {
    source: 'Pagination',
    behaviour:
      'what two pages of a backend name, because its list changed while it was read, is listed once and can be called',
  },
  'MCP-6.22': { source: 'Pagination', behaviour: 'a backend that fails is left out of lists, and affects no other' },
  'MCP-6.26': {
    source: 'Tools; Resources; Prompts',
    behaviour: 'what one backend lists and official clients refuse is mended or left out, and hides no item of others',
  },
  'MCP-7.1': { source: 'Ping', behaviour: 'ping is answered with an empty object, in both directions' },
  'MCP-7.2': {
    source: 'Progress',
    behaviour: 'the token is returned with value and type; equal tokens of two clients do not collide',
  },
  'MCP-7.3': { source: 'Progress', behaviour: 'progress comes before the answer, on its stream' },
  'MCP-7.4': {
    source: 'Cancellation',
    behaviour:
      'a cancel reaches the backend and is not answered; a cancel from another session or a late one is ignored',
  },
  'MCP-7.5': { source: 'Base Protocol, _meta', behaviour: '_meta passes in both directions, in notifications too' },
  'MCP-9.1': {
    source: 'Tasks, Capability Negotiation; Tool-Level Negotiation',
    behaviour:
      'tasks are offered at 2025-11-25; a tool that forbids them, or is called without one it requires, is -32601',
  },
  'MCP-9.2': {
    source: 'Tasks, Capability Negotiation',
    behaviour: 'a backend without tasks is called plainly, and so is one by a client of a revision without them',
  },
  'MCP-9.3': {
    source: 'Tasks, Creating Tasks; Associated Messages',
    behaviour: 'task ids are issued by the gateway and cannot be guessed; results and notifications name their task',
  },
  'MCP-9.4': {
    source: 'Tasks, Result Retrieval; Cancellation; Error Handling',
    behaviour: 'tasks/result waits, and returns the result or error of the call; a finished task cannot be cancelled',
  },
  'MCP-9.5': {
    source: 'Tasks, Task Isolation and Access Control; Task Listing',
    behaviour: 'tasks belong to their caller alone, for every method and on every node, and are listed page by page',
  },
  'MCP-9.6': {
    source: 'Tasks, Task Lifecycle',
    behaviour: 'a task outlives its session, and its result can be read in another session on any node',
  },
  'MCP-9.7': {
    source: 'Tasks, TTL and Resource Management',
    behaviour: 'a task is removed after its time to live, which is limited; it contains a poll interval',
  },
  'MCP-9.8': {
    source: 'Tasks, Task Isolation and Access Control',
    behaviour:
      'callers without credentials list no tasks: they are not offered it and get no answer, and reach a task by its id, which cannot be guessed',
  },
  'MCP-11.4': {
    source: 'Security Best Practices',
    behaviour: 'no byte of one client reaches another, regardless of their ids, tokens and timing',
  },
  'MCP-11.9': { source: 'Security Best Practices', behaviour: 'sessions, streams and requests are bounded' },
} as const
