/** The requirements on limits that an operator sets: `LIM-` and a number. */
export const limitRequirements = {
  'LIM-1': {
    source: 'Rates',
    behaviour:
      'requests to backends above the rate of their tenant are refused, retryable and with their time, and reach no backend; what the gateway answers itself is not counted',
  },
  'LIM-2': {
    source: 'Rates, RFC 9110, RFC 6585, draft-ietf-httpapi-ratelimit-headers',
    behaviour:
      'over HTTP a request above a rate is 429 with Retry-After, RateLimit and RateLimit-Policy, in every revision and dialect',
  },
  'LIM-3': {
    source: 'Rates',
    behaviour:
      'each principal has a rate of its own, over all its sessions; a refused request takes nothing from others',
  },
  'LIM-4': {
    source: 'Rates',
    behaviour: 'tools that a pattern matches have a rate together, under whatever names clients see them',
  },
  'LIM-5': {
    source: 'Rates',
    behaviour: 'in a steady load all nodes together admit what a rate allows, within a tenth',
  },
  'LIM-6': {
    source: 'Rates',
    behaviour:
      'a request whose answer comes later, or that becomes a task, is counted once, when it is submitted, and refused there',
  },
  'LIM-7': {
    source: 'Rates',
    behaviour: 'changed rates apply without a restart, and rates that have not changed keep their counts',
  },
  'LIM-8': {
    source: 'Rates',
    behaviour: 'metrics and events count refusals by tenant, without the names of callers',
  },
  'LIM-9': {
    source: 'Limits, overload',
    behaviour:
      'a node that is too busy refuses new requests at once with 503 and when to come back, and answers what ends work',
  },
  'LIM-11': {
    source: 'Limits, concurrency',
    behaviour:
      'a backend works on so many calls at the same time; others wait, callers take turns, what does not fit or waits too long is refused and has not run, and a cancelled call leaves the queue',
  },
  'LIM-12': {
    source: 'Limits, concurrency',
    behaviour:
      'one principal has so many requests under way over all its sessions; further ones get 429, and no other caller does',
  },
  'LIM-13': {
    source: 'Limits, log messages of a request',
    behaviour:
      'three thousand log messages that a backend sends at once all reach a client that reads them, in order and before the result',
  },
  'LIM-14': {
    source: 'Limits, subscriptions of one request',
    behaviour:
      'one `subscriptions/listen` watches at most a thousand resources; the acknowledgement names them, and no backend is asked for the others',
  },
  'LIM-10': {
    source: 'Pins, CVE-2025-54136',
    behaviour:
      'a tool that is not as it was approved (changed in a running or a new connection, renamed, new) is neither listed nor called, and the log names it, and no client gets the instructions of the server; with `warn` it is only named',
  },
} as const
