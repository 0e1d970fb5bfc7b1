/** Credentials for backends: the gateway as a client of servers that want tokens. */
export const credentialRequirements = {
  'CRED-1': {
    source: 'Extension oauth-client-credentials; Authorization, Authorization Server Discovery',
    behaviour:
      'a backend with client credentials, a secret or a key, is called with tokens of the gateway, from its authorization server, which the gateway finds; a token that ends or is refused is replaced once, and all callers share it',
  },
  'CRED-2': {
    source: 'Authorization, Authorization Flow; Security Best Practices',
    behaviour:
      'a backend with the account of each caller offers a tool that leads to its page; after a person has agreed there, with every step at another node, its tools are called with tokens of that person alone',
  },
  'CRED-3': {
    source: 'Authorization, Refresh Tokens; OAuth 2.1, Refresh Token Rotation',
    behaviour:
      'tokens of people are renewed before they end, once over all nodes and links; when the server renews them no more, the person is asked again',
  },
  'CRED-4': {
    source: 'Elicitation, URL Mode; Authorization, Step-Up Authorization Flow',
    behaviour:
      'a client that opens URLs gets the link as an elicitation, and hears when the person has agreed; a tool that needs more scopes asks again',
  },
  'CRED-5': {
    source: 'RFC 7009',
    behaviour: 'a person sees what was granted, and ends it: at the server too, and on every node within seconds',
  },
  'CRED-6': {
    source: 'Security Best Practices, Confused Deputy Problem, Session Hijacking, Token Passthrough',
    behaviour:
      'a link is good once and in one browser; an answer of another browser, state or issuer connects nobody; the server never sees a token, session id or cookie of a client',
  },
  'CRED-7': {
    source: 'Security Best Practices, Server-Side Request Forgery; RFC 9728; RFC 8414',
    behaviour:
      'metadata that names private addresses, other issuers, other resources, scripts or no S256 is refused before anything is sent there',
  },
} as const
