/** Access with tokens: the specification's chapters on authorization and security. */
export const accessRequirements = {
  'ACCESS-1': {
    source: 'Authorization, Token Handling',
    behaviour:
      'a token that the issuer signed for this gateway gives access; any other is 401, with the reason in the challenge',
  },
  'ACCESS-2': {
    source: 'Security Best Practices, Session Hijacking',
    behaviour: 'with the token of another subject, an existing session is 404, for every verb and on every node',
  },
  'ACCESS-3': {
    source: 'Authorization, Token Handling',
    behaviour: 'a session continues with a refreshed token of the same subject',
  },
  'ACCESS-4': {
    source: 'RFC 8707, Junctor',
    behaviour: 'a token opens its tenant, or the tenants whose members it names; other tenants look like missing ones',
  },
  'ACCESS-5': {
    source: 'RFC 7517, Junctor',
    behaviour: 'new keys of an issuer are loaded, and its old keys are used while it does not answer',
  },
  'ACCESS-6': {
    source: 'Junctor',
    behaviour: 'until the keys of the issuer are loaded, tokens are 503 with Retry-After, and API keys give access',
  },
  'ACCESS-7': {
    source: 'Authorization, Token Theft',
    behaviour: 'no part of a token appears in a log, in an error, or at a backend',
  },
  'ACCESS-8': {
    source: 'Authorization, Token Handling',
    behaviour: "when a session's token expires, its stream ends and its next request is 401",
  },
  'ACCESS-9': {
    source: 'JSON-RPC 3.0, 11.1.3 Async Request / Response in Decentralized P2P Mode; Junctor',
    behaviour:
      'the token of a job gives access to the state and the result of that job at its URL, on every node, and to nothing else; with any other token the job is unknown',
  },
  'ACCESS-10': {
    source: 'Authorization, Authorization Server Discovery; RFC 9728',
    behaviour:
      'an official client that knows only the URL of an endpoint finds the authorization server, registers, sends its user there, and gets a token for this endpoint alone, with every request at another node',
  },
  'ACCESS-11': {
    source: 'RFC 9728, RFC 8707',
    behaviour:
      'each tenant, and each endpoint of one backend, is a resource of its own: it has its own metadata, and a token for it opens nothing else',
  },
  'ACCESS-12': {
    source: 'Authorization, Scope Challenge Handling; RFC 6750',
    behaviour: 'a token without a scope that the gateway requires is 403, and the challenge names the scopes',
  },
  'ACCESS-15': {
    source: 'Authorization, Scope Challenge Handling; RFC 6750',
    behaviour:
      'a tool may need scopes that a token lacks: its call is 403, and the challenge names those that the token has and those that it needs; the session goes on, and a better token may call the tool',
  },
  'ACCESS-16': {
    source: 'Authorization, Step-Up Authorization Flow',
    behaviour: 'an official client gets a better token when a tool needs one, with every request at another node',
  },
  'ACCESS-17': {
    source: 'Authorization, Token Handling; RFC 7009',
    behaviour:
      'when a token is revoked, or a key is taken out of the configuration, the streams and connections that it has opened end, on every node, and those of others go on',
  },
  'ACCESS-18': {
    source: 'RFC 9449',
    behaviour:
      'a token that is bound to a key is good only with a fresh proof of that key for this request, used once over all nodes; without one it is 401, however it was stolen',
  },
  'ACCESS-20': {
    source: 'Junctor',
    behaviour:
      'a request that a reverse proxy forwards for another machine needs credentials, even when the proxy runs on the machine of the gateway and is not trusted',
  },
  'ACCESS-14': {
    source: 'DESIGN 11 and 12; Security Best Practices',
    behaviour:
      'a tenant sees and uses only the prompts, resources and skills that its policies have: in lists, gets, reads, completions and subscriptions, under any name and in any form of a URI',
  },
  'ACCESS-13': {
    source: 'RFC 7662',
    behaviour:
      'a token that only its authorization server can read opens the same as a signed one, while the server says that it is active',
  },
  'ACCESS-19': {
    source: 'RFC 7662',
    behaviour:
      'with `introspection.signed`, a signed token is accepted with the audience and subject of the answer about it, as long as the answer is that it is active; there is no question about a token that the server has not signed',
  },
} as const
