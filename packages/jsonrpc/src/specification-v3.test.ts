import { describe, expect, test } from 'vitest'
import type { Request } from './message/message.ts'
import { member } from './payload/member.ts'
import { parseFrame } from './parse/parse-frame.ts'
import { payloadOf, printPayload } from './payload/payload.ts'
import { createPeer } from './peer/create-peer.ts'
import type { Peer } from './peer/peer.ts'
import { printMessage } from './print/print-message.ts'
import type { RequestId } from './message/request-id.ts'

// The conversations of JSON-RPC 3.0 section 11, word for word, with the smallest possible server on this package.

/** The messages of the client (`-->`) and of the server (`<--`), as in the document. */
type Conversation = readonly string[]

const add = '--> {"jsonrpc": "3.0", "method": "add", "params": [1, 2], "id": 1}'
const listenLogs = '--> {"jsonrpc": "3.0", "method": "listen.logs", "params": {}, "id": 2, "options": {"stream": true}}'
const cancelled =
  '<-- {"jsonrpc": "3.0", "stream": {"id": 2}, "error": {"code": -32800, "message": "Request cancelled by client."}}'

const conversations: readonly (readonly [string, Conversation])[] = [
  ['11.1', [add, '<-- {"jsonrpc": "3.0", "result": 3, "id": 1}']],
  [
    '11.1.1',
    [
      add,
      '<-- {"jsonrpc": "3.0", "result": 3, "id": 1}',
      '--> {"jsonrpc": "3.0", "method": "add", "params": [5, 4], "id": 2}',
      '<-- {"jsonrpc": "3.0", "result": 9, "id": 2}',
    ],
  ],
  [
    '11.2',
    [
      listenLogs,
      '<-- {"jsonrpc": "3.0", "stream": {"id": 2}, "data": "Log entry 1"}',
      '<-- {"jsonrpc": "3.0", "stream": {"id": 2}, "data": "Log entry 2"}',
      '--> end listen.logs',
      '<-- {"jsonrpc": "3.0", "stream": {"id": 2}, "result": "End of logs"}',
    ],
  ],
  [
    '11.2.1',
    [
      listenLogs,
      '<-- {"jsonrpc": "3.0", "stream": {"id": 2}, "data": "Log entry 1"}',
      '<-- {"jsonrpc": "3.0", "stream": {"id": 2}, "data": "Log entry 2"}',
      '--> {"jsonrpc": "3.0", "method": "listen.errors", "params": {}, "id": 5, "options": {"stream": true}}',
      '<-- {"jsonrpc": "3.0", "stream": {"id": 5}, "data": "Err entry 1"}',
      '<-- {"jsonrpc": "3.0", "stream": {"id": 5}, "data": "Err entry 2"}',
      '--> end listen.logs',
      '<-- {"jsonrpc": "3.0", "stream": {"id": 2}, "result": "End of logs"}',
    ],
  ],
  [
    '11.3 and 11.3.1',
    [
      '--> {"jsonrpc": "3.0", "method": "start.longTask", "params": {}, "id": 3}',
      '<-- {"jsonrpc": "3.0", "ack": {}, "id": 3}',
      '<-- {"jsonrpc": "3.0", "ack": {"progress": 10, "total": 20}, "id": 3}',
      '<-- {"jsonrpc": "3.0", "ack": {"progress": 20, "total": 20}, "id": 3}',
      '<-- {"jsonrpc": "3.0", "result": "Task completed", "id": 3}',
    ],
  ],
  [
    '11.4',
    [
      listenLogs,
      '<-- {"jsonrpc": "3.0", "stream": {"id": 2}, "data": "Log entry 1"}',
      '<-- {"jsonrpc": "3.0", "stream": {"id": 2}, "data": "Log entry 2"}',
      '--> {"jsonrpc": "3.0", "method": "request.cancel", "params": {"stream": 2, "abort": true}}',
      cancelled,
    ],
  ],
  [
    '11.4.1',
    [
      listenLogs,
      '<-- {"jsonrpc": "3.0", "stream": {"id": 2}, "data": "Log entry 1"}',
      '<-- {"jsonrpc": "3.0", "stream": {"id": 2}, "data": "Log entry 2"}',
      '--> {"jsonrpc": "3.0", "options": {"stream": 2, "abort": true}}',
      cancelled,
    ],
  ],
]

const entries: Readonly<Record<string, readonly string[]>> = {
  'listen.logs': ['Log entry 1', 'Log entry 2'],
  'listen.errors': ['Err entry 1', 'Err entry 2'],
}

/** Creates a server, and a list of what it has sent since the last request. */
function createServer(): { peer: Peer; sent: string[]; end(method: string): void } {
  const sent: string[] = []
  const streams = new Map<RequestId, Request>()
  const close = (id: RequestId, answer: Parameters<Peer['respond']>[1]): void => {
    const request = streams.get(id)
    if (request !== undefined) void peer.respond(request, answer)
    streams.delete(id)
  }
  const cancel = (id: RequestId): void =>
    close(id, { error: { code: -32800, message: 'Request cancelled by client.' } })
  const peer = createPeer({
    dialect: '3.0',
    handler: {
      request(request) {
        if (request.method === 'add') {
          const [a = 0, b = 0] = (request.params ?? payloadOf([])).value() as number[]
          void peer.respond(request, { result: payloadOf(a + b) })
        } else if (request.method === 'start.longTask') {
          void peer.acknowledge(request)
          for (const progress of [10, 20]) void peer.acknowledge(request, payloadOf({ progress, total: 20 }))
          void peer.respond(request, { result: payloadOf('Task completed') })
        } else {
          streams.set(request.id, request)
          for (const entry of entries[request.method] ?? []) void peer.push(request, payloadOf(entry))
        }
      },
      notification({ params }) {
        const stream = params && member(params, 'stream')
        if (stream !== undefined) cancel(printPayload(stream) as RequestId)
      },
      abort: ({ id }) => cancel(id),
    },
    send: (message) => void sent.push(printMessage(message, { nullId: true })),
  })
  const end = (ending: string): void => {
    for (const { id, method } of streams.values())
      if (method === ending) close(id, { result: payloadOf('End of logs') })
  }
  return { peer, sent, end }
}

/**
 * Returns a line of a conversation as values: what the server sends is in the canonical form of section 6, with titles
 * of errors.
 */
function valueOfLine(line: string): unknown {
  if (!line.startsWith('<-- ')) return line
  const frame = parseFrame(line.slice('<-- '.length))
  return frame.kind === 'message' ? JSON.parse(printMessage(frame.message, { nullId: true })) : frame
}

describe('JSON-RPC 3.0 section', () => {
  test.each(conversations)('%s', (_section, lines) => {
    const server = createServer()
    const transcript: unknown[] = []
    for (const line of lines.filter((each) => each.startsWith('--> '))) {
      const text = line.slice('--> '.length)
      const frame = parseFrame(text)
      if (frame.kind === 'message') void server.peer.receive(frame.message)
      else server.end(text.slice('end '.length))
      transcript.push(line, ...server.sent.splice(0).map((sent): unknown => JSON.parse(sent)))
    }
    expect(transcript).toEqual(lines.map(valueOfLine))
  })
})
