/** The oldest version whose clusters keep conditional writes apart. */
const oldestClustered = '2.9.21'

/** Compares `2.9.21` and `2.10.3` by their numbers. */
const { compare } = new Intl.Collator('en', { numeric: true })

/**
 * Why a NATS server must not store values on several servers, or `undefined`. Clusters of older versions acknowledge
 * two writes with the same expected revision, so that two nodes may own one job
 * ([nats-server#4320](https://github.com/nats-io/nats-server/issues/4320)). Single servers do not.
 *
 * @param version the version that the server has reported, for example `2.9.10`
 * @param replicas the number of servers that store each value
 */
export function serverProblem(version: string | undefined, replicas: number): string | undefined {
  if (version === undefined || replicas === 1 || compare(version, oldestClustered) >= 0) return undefined
  return `expected nats-server ${oldestClustered} or newer for replicas: ${replicas}, got ${version}`
}
