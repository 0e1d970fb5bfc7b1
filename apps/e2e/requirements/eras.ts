/** The requirements for clients and servers of 2026-07-28, and of both eras together: `ERA-` and a number. */
export const eraRequirements = {
  'ERA-1': {
    source: '2026-07-28, Discovery',
    behaviour: '`server/discover` names versions, capabilities, instructions and the server, without a session',
  },
  'ERA-2': {
    source: '2026-07-28, Base Protocol and Versioning',
    behaviour:
      'each request declares its version and capabilities: one that does not is refused, and so is a version that is not spoken',
  },
  'ERA-3': {
    source: '2026-07-28, Streamable HTTP, Server Validation',
    behaviour: 'headers that do not repeat the body, or arguments that a tool wants repeated, are refused',
  },
  'ERA-4': {
    source: '2026-07-28, Base Protocol and Caching',
    behaviour: 'results have a type, the server, and hints for caches where they may be kept',
  },
  'ERA-5': {
    source: '2026-07-28, Streamable HTTP',
    behaviour: 'no session is made or used; GET and DELETE are refused; methods that were removed are not found',
  },
  'ERA-6': {
    source: '2026-07-28, Progress and Logging',
    behaviour: 'progress and the log messages that a request asks for come before its answer; others do not come',
  },
  'ERA-7': {
    source: '2026-07-28, Multi Round-Trip Requests',
    behaviour: 'questions of a server of 2025-11-25 are in results; the retry, at any node, continues the same call',
  },
  'ERA-8': {
    source: '2026-07-28, Multi Round-Trip Requests, Security Considerations',
    behaviour:
      'a state is refused that is forged, of another request or used; the same retry gets the same answer again',
  },
  'ERA-9': {
    source: '2026-07-28, Cancellation',
    behaviour: 'a closed stream, or a notification on a connection, cancels the request at its backend',
  },
  'ERA-10': {
    source: '2026-07-28, Subscriptions',
    behaviour: 'a subscription is acknowledged first, then gets what it asked for and no more, each tagged with its id',
  },
  'ERA-11': {
    source: '2026-07-28, Base Protocol, "_meta"',
    behaviour: 'a call that needs a capability which the client did not declare fails with that capability',
  },
  'ERA-12': {
    source: 'DESIGN 6, isolation',
    behaviour: 'of many calls at once, each gets the questions and log messages of its own, and no other',
  },
  'ERA-13': {
    source: '2026-07-28, Versioning, and DESIGN 6',
    behaviour:
      'a server of 2026-07-28, over stdio and HTTP, serves clients of both eras: calls, progress, logs, headers',
  },
  'ERA-14': {
    source: '2026-07-28, Multi Round-Trip Requests, and DESIGN 6',
    behaviour: 'its questions reach clients of both eras, several at once and in several rounds',
  },
  'ERA-15': {
    source: '2026-07-28, Subscriptions, and DESIGN 6',
    behaviour: 'its changes of lists and updates of resources reach clients of both eras',
  },
  'ERA-16': {
    source: '2026-07-28, Cancellation, and DESIGN 6',
    behaviour: 'a call that its client cancels, in either era, is cancelled at it',
  },
  'ERA-17': {
    source: '2026-07-28, Compatibility Matrix, and DESIGN 6',
    behaviour: 'a client of HTTP+SSE is asked by a server of 2026-07-28 in the middle of a call',
  },
  'ERA-18': {
    source: 'DESIGN 6, isolation',
    behaviour: 'many clients of both eras at once get what is theirs alone, and none of their calls stays open',
  },
  'ERA-19': {
    source: '2026-07-28, Caching',
    behaviour:
      'lists may be kept as long as the least of their backends says, and by all only if all say so and no policy filters them',
  },
  'ERA-20': {
    source: '2026-07-28, Multi Round-Trip Requests, and DESIGN 6',
    behaviour:
      'between a client and a server of 2026-07-28 nothing waits at a node: the state of the server travels sealed, for one caller and request',
  },
  'ERA-21': {
    source: '2026-07-28, stdio, and DESIGN 6',
    behaviour:
      'requests of one principal that run at the same time reach one process of it; one that wants log messages has its own',
  },
  'ERA-22': {
    source: '2025-11-25, URL Elicitation Required Error, and DESIGN 6',
    behaviour:
      'the URLs that an older server wants opened (-32042) are questions to a client of 2026-07-28, and an error to one that cannot open or declines them',
  },
  'ERA-23': {
    source: '2026-07-28, Base Protocol and Multi Round-Trip Requests, and DESIGN 6, isolation',
    behaviour:
      'a result of an older server is complete for a client of 2026-07-28, whatever type, questions or state it has of its own',
  },
  'ERA-24': {
    source: '2026-07-28, Multi Round-Trip Requests, and DESIGN 6',
    behaviour:
      'a server that asks for nothing but another round is called after growing pauses, and no more once the call has ended',
  },
  'ERA-25': {
    source: '2026-07-28, stdio, Backward Compatibility, and docs/decisions/era-of-a-link.md',
    behaviour:
      'a server of both eras is used in the era of each client, so that its code can ask the client in the way that it was written for',
  },
  'ERA-26': {
    source: '2026-07-28, Versioning, "Backward Compatibility"',
    behaviour: 'a client with a handshake may send the headers of 2026-07-28 as well, and opens a session all the same',
  },
  'ERA-27': {
    source: 'docs/decisions/requests-without-sessions.md, "Who calls"',
    behaviour:
      'calls one after the other reach the same process of an older server over stdio at a node, also after calls at the same time had one each',
  },
} as const
