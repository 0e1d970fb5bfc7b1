/**
 * The services of gateways for each other. They begin with `$`, so that they differ from the names of backends, which
 * are service names when other nodes hold their links.
 */
export const serviceNames = {
  /** Adopts a session of a node that leaves. */
  adopt: '$adopt',
  /** Receives frames of jobs for sessions whose home is the node. */
  deliver: '$deliver',
  /** Answers which node is the home of sessions, as far as the node knows. */
  homes: '$homes',
  /** Shows the open questions of a job that the node runs, and takes answers to them. */
  inputs: '$inputs',
  /** Lets other nodes wait for a job that the node runs. */
  job: '$job',
  /** Receives that the gateway is about to promise answers on the stream of a session whose home is the node. */
  awaitedAnswers: '$owe',
  /** Continues requests of clients without a session that wait on the node for answers. */
  parked: '$parked',
  /** Receives messages that were posted to an address of the node. */
  post: '$post',
  /** Receives that the reader of a stream, which the node keeps, is lost, and how much was written to it. */
  readerLost: '$reader-lost',
  /** Answers whether the node has refused a job. */
  refused: '$refused',
  /** Lets other nodes read a stream that the node keeps. */
  resume: '$resume',
  /** Receives messages of clients that expect no answer and concern the node. */
  clientMessage: '$client-message',
  /** Answers when the frames of a job are on the stream of their session, whose home is the node. */
  taken: '$taken',
  /** Answers requests of sessions whose home is the node. */
  session: '$session',
} as const

/** The service on the node of a link that answers the link's requests. */
export function linkService(link: string): string {
  return `$link ${link}`
}

/** The service on the node of a link for all other messages to the link. */
export function linkControlService(link: string): string {
  return `$link-control ${link}`
}
