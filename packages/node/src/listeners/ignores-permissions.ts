/** The minor versions that have the fault, each with its first patch without it. */
const faulty: readonly (readonly [minor: string, repaired: number])[] = [
  ['2.11', 15],
  ['2.12', 6],
]

/**
 * Whether a NATS server lets clients send on subjects that their permissions do not allow: a client may name any subject
 * for trace messages of the server (CVE-2026-33249). Older versions have no traces.
 *
 * @param version the version that the server has reported, for example `2.12.5`
 */
export function ignoresPermissions(version: string): boolean {
  const [, minor, patch] = /^v?(\d+\.\d+)\.(\d+)/.exec(version) ?? []
  return faulty.some(([name, repaired]) => name === minor && Number(patch) < repaired)
}
