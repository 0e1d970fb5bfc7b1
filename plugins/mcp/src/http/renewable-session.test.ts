import type { ServerResponse } from 'node:http'
import { emitNothing, silentLog } from '@junctor/plugin-sdk/link'
import { createRequest, eventually, recordClient, recordExchange, type Script, statusOnly } from '@junctor/testkit'
import { expect, test } from 'vitest'
import { leanServer, openLean, received } from '../../test/lean-server.ts'

test('when a server ends the session of a closed link, what it refuses for that opens no other session', async () => {
  const held: ServerResponse[] = []
  const endsSession: Script = (to, response) => {
    for (const each of held) each.writeHead(404).end()
    statusOnly(200)(to, response)
  }
  const lists: Script = (_, response) => void held.push(response)
  const messages: string[] = []
  const log = { ...silentLog, info: (message: string) => void messages.push(message) }
  const script = leanServer({ DELETE: endsSession, 'POST tools/list': lists })
  const { server, link } = await openLean(script, recordClient(), {}, emitNothing, log)
  await link.call(createRequest('tools/call', { name: 'echo' }), recordExchange().exchange)
  const list = link.list('tools', new AbortController().signal).catch(String)
  await eventually(() => expect(held).toHaveLength(1))
  await link.close()
  expect(await list).toContain('The link was closed')
  expect(await link.closed).toBeUndefined()
  expect(messages).toEqual([])
  expect(received(server).filter((line) => line === 'POST initialize')).toHaveLength(1)
})
