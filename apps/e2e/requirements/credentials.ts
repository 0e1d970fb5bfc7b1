/** Credentials for backends: the gateway as a client of servers that want tokens. */
export const credentialRequirements = {
  'CRED-1': {
    source: 'Extension oauth-client-credentials; Authorization, Authorization Server Discovery',
    behaviour:
      'a backend with client credentials, a secret or a key, is called with tokens of the gateway, from its authorization server, which the gateway finds, or which is configured for a secret; a token that ends or is refused is replaced once, and all callers share it',
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
      'a client that opens URLs gets the link as an elicitation, and a notification when the person has agreed; a tool that needs more scopes asks again, and no other one',
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
  'CRED-8': {
    source: 'RFC 8693; Authorization, Access Token Privilege Restriction',
    behaviour:
      'a backend with token exchange is called with tokens for which the token of each caller was exchanged, for that backend alone; all sessions of a token share one exchange at a node, and no token of one caller serves another',
  },
  'CRED-9': {
    source: 'RFC 8693; Security Best Practices, Token Passthrough',
    behaviour:
      "the token of a caller is sent to the configured authorization server alone; what the server names in its metadata, and answers that are no token for it or the caller's own, change nothing of that",
  },
  'CRED-10': {
    source: 'RFC 8693',
    behaviour:
      'a request is sent with what its own token was exchanged for, also in the session of another client of the same person; after the token has expired, requests and jobs that have only that one fail, and say what is needed',
  },
  'CRED-11': {
    source: 'Extension enterprise-managed-authorization; Identity Assertion Authorization Grant; RFC 7523',
    behaviour:
      "a backend with identity assertions is called with tokens of its authorization server, each issued for an assertion (ID-JAG) that the identity provider issued for the token of one caller; the configuration names both, what is no assertion for that authorization server is not sent there, and no caller's token serves another",
  },
  'CRED-12': {
    source: 'Junctor; RFC 7009',
    behaviour:
      'a link of the `connect` tools leads to one page where a person sees all their accounts at the backends of the tenant, and ends each or all: at the servers too, and on every node within seconds',
  },
  'CRED-13': {
    source: 'Security Best Practices, Confused Deputy Problem; Junctor',
    behaviour:
      'that page is for the browser that has used the link, once and for a while; it shows and ends nothing of another person or tenant, and takes no form from elsewhere or of another person',
  },
  'CRED-14': {
    source: 'Junctor',
    behaviour:
      'when an authorization server refuses a caller whose token is exchanged, further calls with that token do not become requests to it for seconds; other callers do not notice, and a tool that needs scopes which are refused leaves the other tools as they are',
  },
  'CRED-15': {
    source: 'RFC 7009; OAuth 2.1, Refresh Token Rotation',
    behaviour:
      'the end of an access counts at any moment: a call under way ends with its answer or says that the person has to agree, no token that a renewal brings later is used, and none stays valid at the server',
  },
  'CRED-16': {
    source: 'RFC 9110 section 11.6.1; RFC 9449 section 7.2',
    behaviour:
      'a server that sends several challenges, in a header each, is called with tokens as one that sends a single one: the challenge for tokens is read among those of other schemes',
  },
  'CRED-17': {
    source: 'RFC 6749 section 5.2; RFC 7591; Junctor',
    behaviour:
      'when an authorization server does not know the registration of the gateway any more, the gateway registers again: people whose tokens cannot be renewed are asked again, and people who connect for the first time notice nothing',
  },
  'CRED-18': {
    source: 'Junctor',
    behaviour:
      'while an authorization server fails, calls go on with the tokens that are there, to the end of these, and do not become requests to it one by one',
  },
  'CRED-19': {
    source: 'RFC 7591 sections 2 and 3.2.1; RFC 8414',
    behaviour:
      'the gateway registers at an authorization server that takes only clients with a secret, and proves itself there as it was registered',
  },
  'CRED-20': {
    source: 'RFC 8414 section 3.1; Authorization, Authorization Server Discovery',
    behaviour:
      'a site that shows a page where a document might be does not have the document: the next place is looked at, for servers and for authorization servers',
  },
  'CRED-21': {
    source: 'Authorization, Authorization Server Discovery; Junctor',
    behaviour:
      'when a server has moved to another authorization server and the old one is gone, people are asked to agree at the new one; no token goes there that the old one has issued',
  },
  'CRED-22': {
    source: 'RFC 8707; Security Best Practices, Token Passthrough; Junctor',
    behaviour:
      'when the configuration gives the name of a backend to another server, no token goes there that a person has obtained for the former one: people are asked to agree again',
  },
  'CRED-23': {
    source: 'Security Best Practices, Session Hijacking; Junctor',
    behaviour:
      'after a person has agreed again, and maybe as somebody else, the session at the server that the former account has begun is used no more, at any node; it goes on when the authorization server says that the account is the same',
  },
} as const
