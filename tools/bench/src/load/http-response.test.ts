import { expect, test } from 'vitest'
import { HttpResponseReader } from './http-response.ts'

const json = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{"a":"ä"}'

test('a response is complete with its last byte, in pieces of any size', () => {
  const bytes = Buffer.from(json)
  for (let cut = 1; cut < bytes.length; cut++) {
    const reader = new HttpResponseReader()
    expect(reader.push(bytes.subarray(0, cut))).toBeUndefined()
    expect(reader.push(bytes.subarray(cut))).toMatchObject({ status: 200, body: '{"a":"ä"}' })
  }
})

test('the next response on the connection is read from its start', () => {
  const reader = new HttpResponseReader()
  expect(reader.push(Buffer.from(json))?.status).toBe(200)
  const empty = reader.push(Buffer.from('HTTP/1.1 202 Accepted\r\ncontent-length: 0\r\n\r\n'))
  expect(empty).toMatchObject({ status: 202, body: '' })
})

test('the last event of a chunked stream of events is the answer', () => {
  const events = ['id: 1\ndata: \n\n', ': still there\n\n', 'id: 2\ndata: {"id":1}\n\n']
  const chunks = events.map((event) => `${event.length.toString(16)}\r\n${event}\r\n`).join('')
  const reader = new HttpResponseReader()
  const head = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n'
  expect(reader.push(Buffer.from(head + chunks))).toBeUndefined()
  expect(reader.push(Buffer.from('0\r\n\r\n'))?.body).toBe('{"id":1}')
})
