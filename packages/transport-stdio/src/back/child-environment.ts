/**
 * The variables that a program needs to find its files and use its user's language; none that could be a secret. By
 * `JUNCTOR_CHAIN` a gateway detects that it runs below itself.
 */
const inherited =
  /^(?:PATH|HOME|XDG_[A-Z]+_HOME|XDG_RUNTIME_DIR|USER|LOGNAME|SHELL|TERM|LANG|LC_[A-Z]+|TZ|TMPDIR|TEMP|TMP|JUNCTOR_CHAIN)$/

/**
 * Files of certificate authorities. Where a company inspects its traffic, `npx` and `uvx` download nothing without them:
 * they try again, in silence, until the backend's time is over.
 */
const authorities =
  /^(?:NODE_EXTRA_CA_CERTS|(?:NIX_)?SSL_CERT_FILE|SSL_CERT_DIR|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE|PIP_CERT|GIT_SSL_CAINFO)$/

/** Where only a proxy reaches the internet. Some programs read these names in lower case only. */
const proxies = /^(?:https?|all|no)_proxy$/i

/** The user and the password in the URL of a proxy. */
const credentials = /^(?:[^/]*\/\/)?[^/]*@/

/**
 * The whole environment of a child: a few variables of the parent, then its own. A parent's environment contains the
 * secrets of all backends, so it is not inherited, and neither is a proxy whose URL has a password.
 */
export function childEnvironment(
  parent: Readonly<Record<string, string | undefined>>,
  own: Readonly<Record<string, string>>,
): Record<string, string> {
  const entries = Object.entries(parent).filter(([name, value]) => value !== undefined && isInherited(name, value))
  return { ...(Object.fromEntries(entries) as Record<string, string>), ...own }
}

function isInherited(name: string, value: string): boolean {
  return inherited.test(name) || authorities.test(name) || (proxies.test(name) && !credentials.test(value))
}
