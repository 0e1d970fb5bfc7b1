import { expect, test } from 'vitest'
import { createMemoryBus, createMemoryFabric } from '@junctor/fabric'
import { createExchange, relayView } from '@junctor/exchange'
import { isJsonObject, type Request } from '@junctor/jsonrpc'
import { createHome, createTestPool } from '../../../test/support/home.ts'
import { createManualClock } from '../../../test/support/manual-clock.ts'
import { tenantOf } from '../../../test/support/test-nodes.ts'
import { nodeRequest } from '../../nodes/node-request.ts'
import { serviceNames } from '../../nodes/service-names.ts'
import { defaultGatewayLimits } from '../../shared/limits.ts'
import { createStreamTable } from '../../sessions/streams/stream-table.ts'
import { resumeParams } from './resume-params.ts'
import { serveResumes } from './serve-resumes.ts'
import { StreamReaders } from './stream-readers.ts'

/** The services of a home, with a session and its own stream. */
function setUp() {
  const streams = createStreamTable('one', defaultGatewayLimits, Date.now, { dropped() {}, overflowed() {} })
  const { session } = createHome('s', tenantOf([]), createTestPool(createManualClock()))
  const stream = streams.detached('paced')
  session.stream = stream
  const table = { home: () => session, otherHome: () => undefined }
  const streamReaders = new StreamReaders()
  const fabric = createMemoryFabric(createMemoryBus())
  const { resume, readerLost } = serveResumes(fabric, table, streams, streamReaders, expect.unreachable)
  const host = { nextId: () => 'x-1', now: Date.now, asked() {}, answered() {}, closed() {} }
  const open = (request: Request, id: string) =>
    createExchange({ id, request, context: session.context, deadline: Infinity, attempt: 1 }, host)
  return { stream, session, resume, readerLost, open }
}

test('a reader that has left before its stream was found gets nothing: its messages wait for the next one', async () => {
  const { stream, resume, open } = setUp()
  void stream.append('a', false)
  const request = nodeRequest(serviceNames.resume, resumeParams(undefined))
  const exchange = open(request, 'x-0')
  exchange.end('disconnected')
  expect(await resume(request, exchange)).toMatchObject({ kind: 'complete' })
  expect(stream).toMatchObject({ read: false, unread: 1 })
})

test.each([
  ['reads on from its last event', 1],
  ['has no event to read on from', undefined],
])(
  'the next reader gets once what was lost with the one before, when that is told late: it %s',
  async (_how, after) => {
    const { stream, resume, readerLost, open } = setUp()
    const read = (id: string, n?: number): readonly unknown[] => {
      const place = n === undefined ? undefined : { stream: stream.id, n }
      const request = nodeRequest(serviceNames.resume, resumeParams(place))
      const exchange = open(request, id)
      const texts: unknown[] = []
      exchange.attach({
        view: relayView(exchange),
        write(event) {
          if (event.kind === 'chunk' && isJsonObject(event.data) && 'text' in event.data) texts.push(event.data['text'])
          return undefined
        },
      })
      void resume(request, exchange)
      return texts
    }
    const sent = read('x-1')
    void stream.append('a', false)
    void stream.append('b', false)
    expect(sent).toEqual(['a', 'b'])
    // Only `a` has reached the client.
    const next = read('x-2', after)
    const lost = nodeRequest(serviceNames.readerLost, { reader: 'x-1', written: 1 })
    await readerLost(lost, open(lost, 'x-3'))
    expect(next).toEqual(['b'])
  },
)
