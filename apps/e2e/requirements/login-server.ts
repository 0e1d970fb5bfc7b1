/** The requirements on the authorization server that a gateway may have itself: `LOGIN-` and a number. */
export const loginServerRequirements = {
  'LOGIN-1': {
    source: 'Authorization; Junctor',
    behaviour:
      'official clients that know only the URL of an endpoint register, send their user to the pages of the gateway, get a token for this endpoint alone, refresh it, and are cut off when it is revoked, with every request at another node',
  },
  'LOGIN-2': {
    source: 'RFC 6749 section 10, RFC 9700, Security Best Practices',
    behaviour:
      'codes, redirects, consent, refresh tokens and resources cannot be misused: each attack is refused, and a code that is used twice takes its tokens with it',
  },
  'LOGIN-3': {
    source: 'RFC 7591',
    behaviour: 'registrations that are wrong, too large or for foreign hosts are refused with the reason',
  },
  'LOGIN-4': {
    source: 'RFC 6749 section 4.4; Junctor',
    behaviour: 'a configured program gets tokens for itself, with its scopes alone',
  },
  'LOGIN-8': {
    source: 'RFC 8414 section 3.1, RFC 9728 section 3.1',
    behaviour:
      'a gateway whose public URL has a path, which a proxy removes, is found, logged in at and used by official clients',
  },
  'LOGIN-7': {
    source: 'Enterprise-Managed Authorization; RFC 7523',
    behaviour:
      'an identity assertion (ID-JAG) of a configured issuer is good once, at any node, for its client, its endpoint and its scopes; any other is refused, and nobody of the issuer is a user of the file',
  },
  'LOGIN-5': {
    source: 'System B, OAuth Endpoint Configuration, Authentication Errors',
    behaviour:
      "the endpoints are at the paths of `discovery.oauth_endpoints`, and the discovery document and the 401 of the profile `saas` name them, in the document's words",
  },
  'LOGIN-6': {
    source: 'Junctor',
    behaviour:
      'the pages show what a client says of itself as text, run no scripts, are shown in no frame, and take few wrong passwords',
  },
} as const
