import { type ErrorReporter, silentLog } from '@junctor/contracts'
import { connectNats } from '@junctor/nats'
import { eventually, startNatsServer } from '@junctor/testkit'
import { expect, test, vi } from 'vitest'
import { NatsMembers } from '../src/members/nats-members.ts'
import { createNatsFabric } from '../src/nats-fabric.ts'
import { clusterKey } from './nats-cluster.ts'

test('an exception when the connection is back is reported, and the next time works', { timeout: 60_000 }, async () => {
  const broken = new Error('broken')
  const reportError = vi.fn<ErrorReporter>()
  const server = await startNatsServer()
  const connection = await connectNats({ servers: [server.url] }, silentLog)
  const options = { connection, cluster: 'guards', keys: [clusterKey], log: silentLog, reportError }
  const fabric = await createNatsFabric(options)
  const back = vi.spyOn(NatsMembers.prototype, 'back').mockImplementationOnce(() => {
    throw broken
  })
  try {
    for (const times of [1, 2]) {
      await server.kill()
      await server.restart()
      await eventually(() => expect(back).toHaveBeenCalledTimes(times), 20_000)
    }
    expect(reportError.mock.calls).toContainEqual(['message', broken])
  } finally {
    back.mockRestore()
    await fabric.close()
    await connection.close()
    await server.stop()
  }
})
