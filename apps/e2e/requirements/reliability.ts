/** The requirements on calls that are lost on their way, or come too early or too late: `REL-` and a number. */
export const reliabilityRequirements = {
  'REL-1': {
    source: 'Retries',
    behaviour:
      'a call that only reads, or may run twice, is sent once more over a new link when its process, connection or worker is lost before the answer, and its client gets the answer',
  },
  'REL-2': {
    source: 'Retries',
    behaviour:
      'a call that may not run twice runs once, and so does every call of which its client has seen something; its client learns that the backend ended',
  },
  'REL-3': {
    source: 'Retries',
    behaviour: 'a call that was certainly not sent is sent once more, whatever its tool',
  },
  'REL-4': {
    source: 'Retries',
    behaviour:
      'a call is sent at most twice, within its own deadline, and not after its client has cancelled it or ended its session; `retry: false` sends every call once',
  },
  'REL-5': {
    source: 'Retries, isolation',
    behaviour:
      'the new link has the scope of the lost one: the log level and the subscriptions of its session are set on it, and no other session notices',
  },
  'REL-6': {
    source: 'Start of backends',
    behaviour:
      'a request for something of a backend that still starts waits for it, with a prefix or without; if the backend cannot be started, the client is told when to try again, and never that the name is unknown',
  },
  'REL-7': {
    source: 'Cancellation',
    behaviour:
      'a call that ends early, by a cancellation, a closed stream, its deadline or the end of its session, is cancelled at its server, which has time to act on that before its input ends',
  },
  'REL-8': {
    source: 'Shutdown',
    behaviour:
      'a client that was asked before its node began to leave can answer on a new connection, in both eras, and gets the result of its call',
  },
  'REL-9': {
    source: 'Time',
    behaviour:
      'a system clock that is set forward or back by hours ends no call and no session early, and delays no deadline',
  },
  'REL-10': {
    source: 'Errors',
    behaviour:
      'a client that leaves in the middle of its request, to any page or endpoint, is no error of the node, and is not logged as one',
  },
  'REL-11': {
    source: 'Resources, Subscriptions',
    behaviour:
      'a backend that ends while a client is subscribed to its resources, and calls nothing, is started and subscribed again: updates keep arriving',
  },
  'REL-12': {
    source: 'Transports, stdio',
    behaviour:
      'a client that ends its input answers no question any more: its calls that ask something end at once, and so does the gateway',
  },
  'REL-13': {
    source: 'Start of backends',
    behaviour:
      'a program that was started again may offer something else: its lists are asked again, and clients are notified if they differ',
  },
  'REL-14': {
    source: 'Lists of backends',
    behaviour:
      'a backend that fails to list one kind of things still offers the others; a request for a thing of that kind is told so, and never that the name is unknown',
  },
  'REL-15': {
    source: 'JSON-RPC 2.0, Response object',
    behaviour:
      'a response that is not JSON, such as one with NaN, fails its call at once with an error that says so, on each transport: the call does not wait for its deadline',
  },
  'REL-16': {
    source: 'RFC 9112, Connection Management',
    behaviour:
      'a client that ends its side of a connection after its requests still gets their answers, also late ones; one that has closed the connection is noticed',
  },
} as const
