/** The requirements on the authorization server that a gateway may have itself: `LOGIN-` and a number. */
export const loginServerRequirements = {
  'LOGIN-1': {
    source: 'Authorization; Junctor',
    behaviour:
      'official clients that know only the URL of an endpoint register, send their user to the pages of the gateway, get a token for this endpoint alone, refresh it, also when another person has logged in at the same browser since, and are cut off when it is revoked, with every request at another node',
  },
  'LOGIN-2': {
    source: 'RFC 6749 section 10, RFC 9700, Security Best Practices',
    behaviour:
      'codes, redirects, consent, refresh tokens and resources cannot be misused: each attack is refused, and a code that is used twice takes its tokens with it, but not the next login; a renewal that is repeated within 30 seconds succeeds',
  },
  'LOGIN-3': {
    source: 'RFC 7591',
    behaviour: 'registrations that are wrong, too large or for foreign hosts are refused with the reason',
  },
  'LOGIN-19': {
    source: 'Fetch standard, CORS; RFC 7591',
    behaviour:
      'a client in a page of another origin finds the server, registers, and gets and revokes tokens; it may read refusals too',
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
    source: 'API Reference of the profile saas, OAuth Endpoint Configuration, Authentication Errors',
    behaviour:
      "the endpoints are at the paths of `discovery.oauth_endpoints`, and the discovery document and the 401 of the profile `saas` name them, in the document's words",
  },
  'LOGIN-6': {
    source: 'Junctor',
    behaviour:
      'the pages show what a client says of itself as text, run no scripts, are shown in no frame, and take few wrong passwords',
  },
  'LOGIN-9': {
    source: 'OpenID Connect Core; Junctor',
    behaviour:
      'people of an OpenID provider log in there, with every request at another node, and get tokens with the claims that the configuration takes over; nobody of the provider is a user of the file or somebody of another provider',
  },
  'LOGIN-10': {
    source: 'RFC 9700, RFC 9207, OpenID Connect Core section 3.1.3.7',
    behaviour:
      'an answer of a provider is good once, in the browser that began, for the provider that it was sent to, with an ID token that this provider has signed for this login; each attack leaves the client without a token',
  },
  'LOGIN-11': {
    source: 'Junctor',
    behaviour:
      'whoever a provider refuses, or the configuration does not let in, sees a page that says why, and so does everyone while a provider is down; the login can be tried again, and no token of a provider is shown, logged or sent on',
  },
  'LOGIN-12': {
    source: 'Junctor',
    behaviour:
      'people whom the configuration does not let in any more have no tokens, and log in again; another person may log in at the same browser, and gets nothing of the first one',
  },
  'LOGIN-14': {
    source: 'Junctor',
    behaviour:
      'behind the reverse proxies of `listen.http.trustedProxies`, wrong passwords and registrations count for the address that the proxy names; no client chooses its address, with a proxy in between or without one',
  },
  'LOGIN-15': {
    source: 'OpenID Connect Core sections 3.1.2.1 and 3.1.3.7',
    behaviour:
      'a client that asks for a recent login (`max_age`, `prompt=login`) gets a code only when the OpenID provider of the person says that the login there was recent enough; an old login there, or one whose time is not known, does not count as new',
  },
  'LOGIN-16': {
    source: 'OpenID Connect Back-Channel Logout 1.0',
    behaviour:
      'when an OpenID provider reports the logout of a person, the access of this person ends at every node, and no later login brings it back; a forged, foreign, old or repeated report ends nothing',
  },
  'LOGIN-17': {
    source: 'Junctor',
    behaviour:
      'requests that nobody has logged in for do not fill the storage: one address begins so many logins in a minute, after which it is told to wait, and others log in',
  },
  'LOGIN-18': {
    source: 'PHC string format; RFC 7914, RFC 9106; Junctor',
    behaviour:
      'people whose passwords other programs have hashed (scrypt or Argon2, each with its own cost) log in, as do those whose hash the command has printed; a configuration with a hash that is malformed or costs too much is refused with what was expected',
  },
  'LOGIN-13': {
    source: 'RFC 6749 sections 3.1 and 3.3, RFC 3986 section 3.4, OpenID Connect Core section 3.1.2.1',
    behaviour:
      'a request for authorization without a scope, or with an empty one, asks for the default ones, in a URL and in a form, whatever characters its parameters have; one that has only unknown scopes is refused before a person sees a page',
  },
} as const
