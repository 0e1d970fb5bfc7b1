import { subjectToken, textOfToken } from '@junctor/nats'

/** The subjects of one client: those that it sends to, and those that it receives on. */
export interface ClientSubjects {
  /** `mcp.v1.<cluster>.<tenant>.<client>`, the beginning of all the others. */
  readonly root: string
  /** The subject for requests for a channel. */
  readonly open: string
  /** The subject that the client sends to on a channel. */
  in(channel: string): string
  /** The subject that the client receives on on a channel. */
  out(channel: string): string
}

/** The subjects of a client. Its names are escaped: they cannot contain a wildcard or a dot. */
export function clientSubjects(cluster: string, tenant: string, client: string): ClientSubjects {
  return subjectsUnder([prefixOf(cluster), subjectToken(tenant), subjectToken(client)].join('.'))
}

/** The subject on which gateways receive the requests of all clients of a cluster for a channel. */
export function openingsOf(cluster: string): string {
  return `${prefixOf(cluster)}.*.*.open`
}

/** A client that asks for a channel, and its subjects. */
export interface Asker {
  readonly tenant: string
  readonly subjects: ClientSubjects
}

/** Parses the subject of a message to `openingsOf`; undefined when it is not the escaped form of names. */
export function askerOf(subject: string): Asker | undefined {
  const parts = subject.split('.')
  const [tenant = '', client = ''] = parts.slice(3, 5)
  if (parts.length !== 6 || !isToken(tenant) || !isToken(client)) return undefined
  return { tenant: textOfToken(tenant), subjects: subjectsUnder(parts.slice(0, 5).join('.')) }
}

/** Whether a text is an escaped name. Any other text could be a wildcard, or another form of the same name. */
function isToken(text: string): boolean {
  try {
    return text !== '' && subjectToken(textOfToken(text)) === text
  } catch {
    return false
  }
}

const path = /^[\w=$-]+(?:\.[\w=$-]+)*$/

/** Whether an answer may be sent to a client's reply subject: only to one under its root, and never to a wildcard. */
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
