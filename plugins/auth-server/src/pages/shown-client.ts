/** The longest name of a client that pages show. More would move what matters out of sight. */
const longestName = 100

/** What a client calls itself, as pages show it. */
export function shownName(name: string): string {
  return name.length > longestName ? `${name.slice(0, longestName).toWellFormed()}…` : name
}

/**
 * Where a client sends people, as browsers understand it: what looks like a part of a host may be a part of the path, and
 * letters of other alphabets may look like those of a well-known host.
 */
export function shownPlace(redirectUri: string): string {
  return URL.parse(redirectUri)?.href ?? redirectUri
}
