import { type ErrorReporter, type Front, type Identity, silentLog } from '@junctor/contracts'
import { defaultFrameBounds } from '@junctor/jsonrpc'
import { mcpProfile } from '@junctor/protocol'
import { expect, test, vi } from 'vitest'
import { ServedConnection } from './served-connection.ts'

const identity: Identity = {
  kind: 'identity',
  principal: { issuer: 'local', subject: 'me', key: 'local me' },
  tenant: { name: 'default', profile: mcpProfile },
}

test.each(['resume', 'close'] as const)('the connection ends although the %s of its channel throws', async (what) => {
  const broken = new Error('broken')
  const reportError = vi.fn<ErrorReporter>()
  const channel = {
    slow: undefined,
    send: () => undefined,
    pause() {},
    resume() {},
    close() {},
    [what]() {
      throw broken
    },
  }
  const served = new ServedConnection({
    transport: 'websocket',
    front: { reportError } as unknown as Front,
    identity,
    log: silentLog,
    channel,
    limits: { frame: defaultFrameBounds, graceMs: 0 },
  })
  await served.close(0)
  expect(reportError.mock.calls).toEqual([['connection', broken, { transport: 'websocket' }]])
})
