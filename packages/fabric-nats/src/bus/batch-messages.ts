/** A message that a node sends or receives. */
export interface OutgoingMessage {
  readonly subject: string
  /** Empty when there is no reply subject. */
  readonly reply: string
  readonly body: Uint8Array
}

/** The separator of the inbox names of a bundle. `subjectToken` never leaves it in a name. */
const separator = '+'

/** A server refuses lines of more than 4096 characters; a name of an inbox has about 14. */
const mostMessages = 32

/** The largest bundle, in bytes. For a larger message bundling saves little. */
const mostBytes = 65_536

/** The size of the length field before each body of a bundle. */
const lengthBytes = 4

/** The destination of messages that may be bundled. */
interface NodeSubject {
  readonly node: string
  /** The subject of the node, or the common prefix of all its inboxes. */
  readonly subject: string
  readonly isOfInboxes: boolean
}

/** Messages that become one bundle. */
interface Group {
  readonly place: NodeSubject | undefined
  readonly messages: OutgoingMessage[]
  bytes: number
}

/**
 * Bundles messages, because NATS and the seal cost a fixed amount for each message. A bundle goes to several inboxes of
 * one node, or to one subject of a node with replies to several inboxes. The last part of its subject or reply, or of
 * both, names them in order, so that the report of a missing subscriber identifies the senders. Other messages are not
 * bundled: on a subject with many subscribers each message may go to another one. Messages to one node stay in order.
 *
 * @param nodes the prefix of the subjects of single nodes, up to the name of the node
 * @param room the largest body, in bytes
 */
export function batchMessages(
  messages: readonly OutgoingMessage[],
  nodes: string,
  room: number,
): readonly OutgoingMessage[] {
  if (messages.length < 2) return messages
  const most = Math.min(mostBytes, room)
  const groups: Group[] = []
  /** The last group of each node, until a message is sent alone. */
  const open = new Map<string, Group>()
  for (const message of messages) {
    const recent = groups.at(-1)?.place
    const place = recent !== undefined && isAt(recent, message) ? recent : placeOf(message, nodes)
    if (place === undefined) open.clear()
    const last = place === undefined ? undefined : open.get(place.node)
    const bytes = lengthBytes + message.body.length
    if (last !== undefined && last.bytes + bytes <= most && isAlike(last, place, message)) {
      last.messages.push(message)
      last.bytes += bytes
    } else {
      const group = { place, messages: [message], bytes }
      groups.push(group)
      if (place !== undefined) open.set(place.node, group)
    }
  }
  return groups.map(joined)
}

/** The messages of a bundle, in order. Empty when the body is not that of a bundle. */
export function unbatchMessages(message: OutgoingMessage): readonly OutgoingMessage[] {
  const { subject, reply, body } = message
  if (!subject.includes(separator) && !reply.includes(separator)) return [message]
  const [subjects, replies] = [subjectsOfBundle(subject), subjectsOfBundle(reply)]
  const lengths = new DataView(body.buffer, body.byteOffset, body.length)
  const messages: OutgoingMessage[] = []
  let at = 0
  for (let n = 0; n < Math.max(subjects.length, replies.length); n += 1) {
    const start = at + lengthBytes
    if (start > body.length) return []
    at = start + lengths.getUint32(start - lengthBytes)
    if (at > body.length) return []
    messages.push({ subject: subjects[n] ?? subject, reply: replies[n] ?? reply, body: body.subarray(start, at) })
  }
  return messages
}

/** The subjects that the subject of a bundle names; for another message its own. */
export function subjectsOfBundle(subject: string): readonly string[] {
  if (!subject.includes(separator)) return [subject]
  const last = subject.lastIndexOf('.') + 1
  const names = subject.slice(last).split(separator)
  return names.map((name) => subject.slice(0, last) + name)
}

/** The destination of a message; undefined when it must be sent alone. */
function placeOf({ subject, reply }: OutgoingMessage, nodes: string): NodeSubject | undefined {
  if (!subject.startsWith(nodes)) return undefined
  const verb = subject.indexOf('.', nodes.length) + 1
  const node = subject.slice(nodes.length, verb)
  if (subject.startsWith('in.', verb)) return { node, subject: subject.slice(0, verb + 3), isOfInboxes: true }
  return reply === '' ? undefined : { node, subject, isOfInboxes: false }
}

/** Whether `placeOf` would return this place, without parsing the subject: most messages of a turn go to one place. */
function isAt(place: NodeSubject, { subject, reply }: OutgoingMessage): boolean {
  return place.isOfInboxes ? subject.startsWith(place.subject) : subject === place.subject && reply !== ''
}

function isAlike(
  { place, messages: [first], messages }: Group,
  other: NodeSubject | undefined,
  { reply }: OutgoingMessage,
): boolean {
  const isSamePlace = place?.subject === other?.subject
  return isSamePlace && (first?.reply === '') === (reply === '') && messages.length < mostMessages
}

function joined({ place, messages, bytes }: Group): OutgoingMessage {
  const [first, ...others] = messages as [OutgoingMessage, ...OutgoingMessage[]]
  if (others.length === 0) return first
  let { subject, reply } = first
  const body = Buffer.allocUnsafe(bytes)
  let at = append(body, 0, first.body)
  for (const message of others) {
    if (place?.isOfInboxes === true) subject += separator + lastPart(message.subject)
    if (reply !== '') reply += separator + lastPart(message.reply)
    at = append(body, at, message.body)
  }
  return { subject, reply, body }
}

function append(body: Buffer, at: number, part: Uint8Array): number {
  const start = body.writeUInt32BE(part.length, at)
  body.set(part, start)
  return start + part.length
}

function lastPart(subject: string): string {
  return subject.slice(subject.lastIndexOf('.') + 1)
}
