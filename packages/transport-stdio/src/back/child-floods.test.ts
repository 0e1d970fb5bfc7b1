import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { silentLog } from '@junctor/contracts'
import { createWireRecorder, untilNoDescendants, type WireRecorder } from '@junctor/testkit'
import { childOptions } from '../../fixtures/child-options.ts'
import { type ChildOptions, type ChildTransport, createChildTransport } from './child-transport.ts'
import { createGuard, type Guard } from './guard/guard.ts'

let guard: Guard
let wire: WireRecorder
/** How many lines were no messages. */
let discarded: number
const opened: ChildTransport[] = []

beforeEach(() => {
  wire = createWireRecorder()
  discarded = 0
  guard = createGuard(silentLog)
})

afterEach(async () => {
  await Promise.all(opened.splice(0).map((transport) => transport.close()))
  await guard.close()
  await untilNoDescendants()
})

function open(options: Partial<ChildOptions>): ChildTransport {
  const all = { ...childOptions(guard), log: silentLog, emit: () => void (discarded += 1), ...options }
  const transport = createChildTransport(all, wire.receiver())
  opened.push(transport)
  return transport
}

describe('a child that floods its stdout with what is no message', () => {
  const shell = (script: string): Partial<ChildOptions> => ({ command: 'sh', args: ['-c', script] })

  test('is read less, so that other work has its turns, and is given up when it goes on', async () => {
    let turns = 0
    const timer = setInterval(() => {
      turns += 1
    }, 5)
    const transport = open({ command: 'yes' })
    const error = await transport.closed
    clearInterval(timer)
    expect(error).toMatchObject({ code: 'PROTOCOL_VIOLATED', message: expect.stringContaining('1000000 other lines') })
    expect(discarded).toBeLessThan(1_100_000)
    expect(turns).toBeGreaterThan(20)
  }, 60_000)

  test('may still answer: a long log before a message does not keep the message back', async () => {
    const message = '{"jsonrpc":"2.0","method":"after"}'
    open(shell(`seq 1 100000; echo '${message}'; seq 1 100000; echo '${message}'; cat`))
    await wire.untilReceived(2)
    expect(discarded).toBe(200_000)
  }, 30_000)

  test('blocks on its output meanwhile', async () => {
    const before = process.memoryUsage().rss
    const transport = open(shell('i=0; yes xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'))
    await expect.poll(() => discarded, { timeout: 30_000 }).toBeGreaterThan(50_000)
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024)
    await transport.close()
    await expect(transport.closed).resolves.toBeUndefined()
  }, 60_000)
})
