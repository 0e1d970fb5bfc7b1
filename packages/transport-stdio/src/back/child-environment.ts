/**
 * What a program needs to find its files and speak its user's language; nothing that could be a secret. By
 * `JUNCTOR_CHAIN` a gateway sees that it is below itself.
 */
const inherited = /^(?:PATH|HOME|USER|LOGNAME|LANG|LC_[A-Z]+|TZ|TMPDIR|TEMP|TMP|JUNCTOR_CHAIN)$/

/**
 * The whole environment of a child: a few variables of the parent, then its own. A parent's environment holds the
 * secrets of all backends, so it is not passed on.
 */
export function childEnvironment(
  parent: Readonly<Record<string, string | undefined>>,
  own: Readonly<Record<string, string>>,
): Record<string, string> {
  const entries = Object.entries(parent).filter(([name, value]) => inherited.test(name) && value !== undefined)
  return { ...(Object.fromEntries(entries) as Record<string, string>), ...own }
}
