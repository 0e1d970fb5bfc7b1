import { expect, test } from 'vitest'
import { createMemoryBus, createMemoryFabric } from '@junctor/fabric'
import { createExchange } from '@junctor/exchange'
import { createHome, createTestPool } from '../../../test/support/home.ts'
import { createManualClock } from '../../../test/support/manual-clock.ts'
import { tenantOf } from '../../../test/support/test-nodes.ts'
import { nodeRequest } from '../../nodes/node-request.ts'
import { serviceNames } from '../../nodes/service-names.ts'
import { defaultGatewayLimits } from '../../shared/limits.ts'
import { createStreamTable } from '../../sessions/streams/stream-table.ts'
import { resumeParams } from './resume-params.ts'
import { serveResumes } from './serve-resumes.ts'

test('a reader that has left before its stream was found gets nothing: its messages wait for the next one', async () => {
  const streams = createStreamTable('one', defaultGatewayLimits, Date.now, { dropped() {}, overflowed() {} })
  const { session } = createHome('s', tenantOf([]), createTestPool(createManualClock()))
  const stream = streams.detached('paced')
  session.stream = stream
  void stream.append('a', false)
  const table = { home: () => session, otherHome: () => undefined }
  const fabric = createMemoryFabric(createMemoryBus())
  const { resume } = serveResumes(fabric, table, streams, expect.unreachable)
  const request = nodeRequest(serviceNames.resume, resumeParams(session.id, undefined))
  const host = { nextId: () => 'x-1', now: Date.now, asked() {}, answered() {}, closed() {} }
  const exchange = createExchange(
    { id: 'x-0', request, context: session.context, deadline: Infinity, attempt: 1 },
    host,
  )
  exchange.end('disconnected')
  expect(await resume(request, exchange)).toMatchObject({ kind: 'complete' })
  expect(stream).toMatchObject({ read: false, unread: 1 })
})
