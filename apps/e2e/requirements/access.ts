/** Who is let in, and where: the specification's chapters on authorization and security, as far as tokens go. */
export const accessRequirements = {
  'ACCESS-1': {
    source: 'Authorization, Token Handling',
    behaviour:
      'a token that the issuer signed for this gateway is let in; any other is 401, and the challenge says why',
  },
  'ACCESS-2': {
    source: 'Security Best Practices, Session Hijacking',
    behaviour: "with another's token, a session that exists is 404, by every verb and at every node",
  },
  'ACCESS-3': {
    source: 'Authorization, Token Handling',
    behaviour: 'a session goes on with a refreshed token of the same subject',
  },
  'ACCESS-4': {
    source: 'RFC 8707, Junctor',
    behaviour: 'a token opens the tenant that it is made for, or those whose members it names; others look like none',
  },
  'ACCESS-5': {
    source: 'RFC 7517, Junctor',
    behaviour: "an issuer's new keys are found, and its old ones are used while it does not answer",
  },
  'ACCESS-6': {
    source: 'Junctor',
    behaviour: 'while the keys of the issuer were never had, tokens are 503 with Retry-After and API keys are let in',
  },
  'ACCESS-7': {
    source: 'Authorization, Token Theft',
    behaviour: 'no part of a token is in a log, in an error, or at a backend',
  },
  'ACCESS-8': {
    source: 'Authorization, Token Handling',
    behaviour: "when a session's token expires, its stream ends and its next request is 401",
  },
  'ACCESS-9': {
    source: 'JSON-RPC 3.0, 11.1.3 Async Request / Response in Decentralized P2P Mode; Junctor',
    behaviour:
      'the token of a job opens the state and the result of that job at its URL, at every node, and nothing else; with any other there is no such job',
  },
} as const
