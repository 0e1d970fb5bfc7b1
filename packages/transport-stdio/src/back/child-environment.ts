/**
 * The variables that a program needs to find its files and use its user's language; none that could be a secret. By
 * `JUNCTOR_CHAIN` a gateway detects that it runs below itself.
 */
const inherited = /^(?:PATH|HOME|USER|LOGNAME|LANG|LC_[A-Z]+|TZ|TMPDIR|TEMP|TMP|JUNCTOR_CHAIN)$/

/**
 * The whole environment of a child: a few variables of the parent, then its own. A parent's environment contains the
 * secrets of all backends, so it is not inherited.
 */
export function childEnvironment(
  parent: Readonly<Record<string, string | undefined>>,
  own: Readonly<Record<string, string>>,
): Record<string, string> {
  const entries = Object.entries(parent).filter(([name, value]) => inherited.test(name) && value !== undefined)
  return { ...(Object.fromEntries(entries) as Record<string, string>), ...own }
}
