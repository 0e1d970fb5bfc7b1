import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSide, piece, receive, result } from '../../test/fixtures/v3-sides.ts'
import type { PeerStream } from './peer-stream.ts'

/** An event of one of three streams, or of the connection. */
const step = fc.record({
  kind: fc.constantFrom('chunk', 'chunk', 'chunk', 'ack', 'rename', 'renamed', 'read', 'read', 'end', 'leave', 'close'),
  stream: fc.nat({ max: 2 }),
})

/** A stream in the test: what it was sent, what it returned, and how often it ended. */
interface Seen {
  readonly stream: PeerStream
  readonly sent: number[]
  readonly got: unknown[]
  readonly ends: unknown[]
  renamed: boolean
  over: boolean
  left: boolean
}

test('for any events in any order, each stream returns what it was sent, in order, and ends once', () =>
  fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), fc.integer({ min: 1, max: 100 }), async (steps, buffer) => {
      const { peer, sent } = createSide()
      const all: Seen[] = [0, 1, 2].map(() => ({
        stream: peer.stream('m', undefined, { buffer }),
        sent: [],
        got: [],
        ends: [],
        renamed: false,
        over: false,
        left: false,
      }))
      const reads: Promise<void>[] = []
      const read = ({ stream, got, ends }: Seen): Promise<void> =>
        stream.next().then(
          ({ done, value }) => void (done === true ? ends.push(value) : got.push(value.value())),
          (error: unknown) => void ends.push(error),
        )
      let closed = false
      const act = {
        chunk(seen: Seen, id: string) {
          void peer.receive(piece(id, seen.sent.length))
          if (!seen.over && !closed) seen.sent.push(seen.sent.length)
        },
        ack: (_seen: Seen, id: string) => void receive(peer, `{"jsonrpc":"3.0","ack":{"id":${id},"progress":1}}`),
        rename(seen: Seen, id: string) {
          seen.renamed = true
          void receive(peer, `{"jsonrpc":"3.0","ack":{"id":${id},"stream":{"id":"s${id}"}}}`)
        },
        renamed(seen: Seen, id: string) {
          if (seen.renamed) act.chunk(seen, `"s${id}"`)
        },
        read: (seen: Seen) => void reads.push(read(seen)),
        end(seen: Seen, id: string) {
          seen.over = true
          void peer.receive(result(id))
        },
        leave(seen: Seen) {
          seen.over = true
          seen.left = true
          void seen.stream.return()
        },
        close() {
          closed = true
          peer.close(new Error('closed'))
        },
      }
      for (const { kind, stream } of steps) {
        const seen = all[stream]
        // A message after the end is a fault of the other side, and must have no effect.
        if (seen !== undefined) act[kind](seen, String(stream + 1))
      }
      peer.close(new Error('closed'))
      for (const seen of all) for (let time = 0; time <= seen.sent.length; time++) reads.push(read(seen))
      await Promise.all(reads)
      let abandoned = 0
      for (const { sent: chunks, got, ends, stream, left } of all) {
        const [end] = await Promise.allSettled([stream.response])
        const here = end.status === 'rejected' && /AbortError|RangeError/.test((end.reason as Error).name)
        if (here) abandoned++
        expect(got).toEqual(here || left ? chunks.slice(0, got.length) : chunks)
        const reported = ends.filter((each) => each !== undefined).length
        expect(reported === 1 || (left && reported === 0)).toBe(true)
      }
      expect(peer.pending).toBe(0)
      // Three requests, and one notification for each stream that was abandoned here.
      expect(sent).toHaveLength(3 + abandoned)
    }),
    { numRuns: 300 },
  ))
