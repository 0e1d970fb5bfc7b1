import fc from 'fast-check'
import { expect, test } from 'vitest'
import { batchMessages, type OutgoingMessage, subjectsOfBundle, unbatchMessages } from './batch-messages.ts'

const nodes = 'root.node.'
const room = 1_000_000

function message(subject: string, reply = '', bytes = 1): OutgoingMessage {
  return { subject, reply, body: new Uint8Array(bytes).fill(7) }
}

/** The messages with bodies that compare by their bytes alone. */
function plain(messages: readonly OutgoingMessage[]): readonly OutgoingMessage[] {
  return messages.map((one) => ({ ...one, body: Uint8Array.from(one.body) }))
}

const names = (sent: readonly OutgoingMessage[]) => sent.map(({ subject, reply }) => [subject, reply])

test('messages to inboxes of one node are sent as one', () => {
  const sent = batchMessages(
    [message('root.node.a.in.x'), message('root.node.a.in.y'), message('root.node.a.in.x')],
    nodes,
    room,
  )
  expect(names(sent)).toEqual([['root.node.a.in.x+y+x', '']])
})

test('requests to one subject of a node are sent as one, by the inboxes of their replies', () => {
  const sent = batchMessages(
    [message('root.node.a.call', 'me.in.1'), message('root.node.a.call', 'me.in.2')],
    nodes,
    room,
  )
  expect(names(sent)).toEqual([['root.node.a.call', 'me.in.1+2']])
})

test('inboxes with replies name both', () => {
  const sent = batchMessages(
    [message('root.node.a.in.x', 'me.in.1'), message('root.node.a.in.y', 'me.in.2')],
    nodes,
    room,
  )
  expect(names(sent)).toEqual([['root.node.a.in.x+y', 'me.in.1+2']])
})

test.each([
  ['a single one', [message('root.node.a.in.x')]],
  ['other nodes', [message('root.node.a.in.x'), message('root.node.b.in.x')]],
  ['other subjects of a node', [message('root.node.a.call', 'me.1'), message('root.node.a.control', 'me.1')]],
  ['what wants an answer, and what wants none', [message('root.node.a.in.x'), message('root.node.a.in.y', 'me.in.1')]],
  ['messages without an inbox', [message('root.node.a.control'), message('root.node.a.control')]],
  ['what one of many nodes gets', [message('root.call.s', 'me.in.1'), message('root.call.s', 'me.in.2')]],
  ['what all nodes get', [message('root.all.alive'), message('root.all.alive')]],
  [
    'messages that are too large together',
    [message('root.node.a.in.x', '', 40_000), message('root.node.a.in.y', '', 40_000)],
  ],
  ['a node of a misleading name', [message('root.node.in.call'), message('root.node.in.probe')]],
] as const)('not bundled: %s', (_what, messages) => {
  expect(batchMessages(messages, nodes, room)).toEqual(messages)
})

test('a bundle is no larger than the server allows, and has no more inboxes than fit a line', () => {
  const many = Array.from({ length: 100 }, (_, n) => message(`root.node.a.in.token${n}`, '', 100))
  expect(Math.max(...batchMessages(many, nodes, room).map(({ subject }) => subjectsOfBundle(subject).length))).toBe(32)
  const sent = batchMessages(many, nodes, 1_040)
  expect(Math.max(...sent.map(({ body }) => body.length))).toBe(1_040)
  expect(plain(sent.flatMap(unbatchMessages))).toEqual(many)
})

const name = fc.constantFrom('a', 'b', 'in')
const token = fc.stringMatching(/^[a-z0-9]{1,9}$/)
const subject = fc.oneof(
  fc.tuple(name, token).map(([node, inbox]) => `root.node.${node}.in.${inbox}`),
  name.map((node) => `root.node.${node}.call`),
  name.map((service) => `root.call.${service}`),
)
const reply = fc.oneof(
  fc.constant(''),
  token.map((inbox) => `root.node.me.in.${inbox}`),
)
const anyMessage = fc.record({ subject, reply, body: fc.uint8Array({ maxLength: 20 }) })

test('unbundling returns all messages, those to one node in order', () => {
  fc.assert(
    fc.property(fc.array(anyMessage, { maxLength: 80 }), (messages) => {
      const came = plain(batchMessages(messages, nodes, room).flatMap(unbatchMessages))
      expect(came).toHaveLength(messages.length)
      for (const node of ['a', 'b', 'in']) {
        const isForNode = (one: OutgoingMessage) =>
          !one.subject.startsWith(nodes) || one.subject.startsWith(`${nodes}${node}.`)
        expect(came.filter(isForNode)).toEqual(messages.filter(isForNode))
      }
    }),
  )
})

test.each([
  ['no lengths', new Uint8Array()],
  ['half a length', new Uint8Array(3)],
  ['less than its lengths say', Uint8Array.from([0, 0, 0, 1, 7, 0, 0, 0, 2, 7])],
])('nothing is in a bundle with %s', (_what, body) => {
  expect(unbatchMessages({ subject: 'root.node.a.in.x+y', reply: '', body })).toEqual([])
})
