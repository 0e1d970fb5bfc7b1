import { subjectToken, textOfToken } from '@junctor/nats'

/** The subjects of one client: all that it sends to, and all that is sent to it. */
export interface ClientSubjects {
  /** `mcp.v1.<cluster>.<tenant>.<client>`, which all the others begin with. */
  readonly root: string
  /** Where it asks for a channel. */
  readonly open: string
  /** What it sends on a channel. */
  in(channel: string): string
  /** What it is sent on a channel. */
  out(channel: string): string
}

/** The subjects of a client. What is in its names is escaped: it can be no wildcard and no dot. */
export function clientSubjects(cluster: string, tenant: string, client: string): ClientSubjects {
  return subjectsUnder([prefixOf(cluster), subjectToken(tenant), subjectToken(client)].join('.'))
}

/** Where gateways hear all clients of a cluster who ask for a channel. */
export function openingsOf(cluster: string): string {
  return `${prefixOf(cluster)}.*.*.open`
}

/** Who asked for a channel, and what its subjects are. */
export interface Asker {
  readonly tenant: string
  readonly subjects: ClientSubjects
}

/** Reads the subject of a message that came to `openingsOf`; undefined when it holds what no name becomes when escaped. */
export function askerOf(subject: string): Asker | undefined {
  const parts = subject.split('.')
  const [tenant = '', client = ''] = parts.slice(3, 5)
  if (parts.length !== 6 || !isToken(tenant) || !isToken(client)) return undefined
  return { tenant: textOfToken(tenant), subjects: subjectsUnder(parts.slice(0, 5).join('.')) }
}

/** Anything else could be a wildcard once it is subscribed to, or another name for the same. */
function isToken(text: string): boolean {
  try {
    return text !== '' && subjectToken(textOfToken(text)) === text
  } catch {
    return false
  }
}

const path = /^[\w=$-]+(?:\.[\w=$-]+)*$/

/** Whether an answer may go to a subject that a client has named: only to one of its own, and never to a wildcard. */
export function isOwn({ root }: ClientSubjects, subject: string): boolean {
  return subject.startsWith(`${root}.`) && path.test(subject)
}

function prefixOf(cluster: string): string {
  return `mcp.v1.${subjectToken(cluster)}`
}

function subjectsUnder(root: string): ClientSubjects {
  return {
    root,
    open: `${root}.open`,
    in: (channel) => `${root}.in.${channel}`,
    out: (channel) => `${root}.out.${channel}`,
  }
}
