/**
 * The services that gateways have for each other. They begin with `$`, so that no backend, whose name is a service where
 * other nodes hold its links, has the name of one.
 */
export const serviceNames = {
  /** Takes a session of a node that leaves. */
  adopt: '$adopt',
  /** Takes frames of jobs for sessions at home at the node. */
  deliver: '$deliver',
  /** Says where sessions are at home, as far as the node knows. */
  homes: '$homes',
  /** Lets other nodes wait for a job that the node runs. */
  job: '$job',
  /** Hears that a session at home at the node is to be owed answers, before they are promised. */
  owe: '$owe',
  /** Takes what was posted to an address of the node. */
  post: '$post',
  /** Says whether the node has refused a job. */
  refused: '$refused',
  /** Lets other nodes read a stream that the node keeps. */
  resume: '$resume',
  /** Takes what clients sent without expecting an answer, and is for the node. */
  clientMessage: '$client-message',
  /** Answers requests of sessions at home at the node. */
  session: '$session',
} as const

/** The service that answers the requests of a link, at its node. */
export function linkService(link: string): string {
  return `$link ${link}`
}

/** The service for what else there is to say to a link, at its node. */
export function linkControlService(link: string): string {
  return `$link-control ${link}`
}
