import { describe, expect, it } from 'vitest'
import { createMemoryBus, createMemoryFabric } from '@junctor/fabric'
import type { Fabric } from '@junctor/exchange'
import { eventually } from '@junctor/testkit'
import { defaultLimits } from '../limits.ts'
import { createStreamTable } from '../streams/stream-table.ts'
import { createHome, createTestPool } from '../../test/support/home.ts'
import { createManualClock } from '../../test/support/manual-clock.ts'
import { tenantOf } from '../../test/support/test-nodes.ts'
import { createDeliveries } from './deliveries.ts'
import type { Delivered } from './job-control.ts'
import { readJobControl } from './job-control.ts'

/** A session that is at home on the first of two nodes, and what is on its stream. */
function start() {
  const bus = createMemoryBus()
  const [one, two] = [createMemoryFabric(bus, 'one'), createMemoryFabric(bus, 'two')]
  const streams = createStreamTable('one', defaultLimits, Date.now, { dropped() {}, overflowed() {} })
  const { session } = createHome('s', tenantOf([]), createTestPool(createManualClock()))
  const at = (fabric: Fabric) =>
    createDeliveries(fabric, (id) => (fabric === one && id === session.id ? session : undefined), streams)
  const here = at(one)
  const there = at(two)
  one.onControl((control) => {
    const read = readJobControl(control)
    if (read?.kind === 'deliver') here.receive(read)
  })
  const texts: string[] = []
  session.stream = streams.detached()
  session.stream.attach({
    owner: undefined,
    resumable: true,
    open() {},
    send(text) {
      texts.push(text)
      return undefined
    },
  })
  const frame = (text: string, more: Partial<Delivered> = {}): Delivered => ({
    session: session.id,
    job: text,
    text,
    last: true,
    again: false,
    ...more,
  })
  return { here, there, session, texts, frame }
}

describe('an answer', () => {
  it('is on the stream of its session, wherever it was made', async () => {
    const { here, there, texts, frame } = start()
    here.deliver('one', frame('1'))
    there.deliver('one', frame('2'))
    await eventually(() => expect(texts).toEqual(['1', '2']))
  })

  it('is taken once', () => {
    const { here, texts, frame } = start()
    here.deliver('one', frame('progress', { job: 'a', last: false }))
    here.deliver('one', frame('first', { job: 'a' }))
    here.deliver('one', frame('again', { job: 'a', again: true }))
    here.deliver('one', frame('other', { job: 'b', again: true }))
    expect(texts).toEqual(['progress', 'first', 'other'])
  })

  it('waits for the rest of its batch, which may have nothing to say', async () => {
    const { here, there, texts, frame } = start()
    const batch = { id: 'b', size: 3 }
    here.deliver('one', frame('{"id":1}', { batch }))
    here.deliver('one', frame('', { job: 'refused', batch }))
    expect(texts).toEqual([])
    there.deliver('one', frame('{"id":2}', { batch }))
    await eventually(() => expect(texts).toEqual(['[{"id":1},{"id":2}]']))
  })

  it('is nothing to a session that is gone', () => {
    const { here, session, texts, frame } = start()
    here.deliver('one', frame('1', { session: 'other' }))
    session.ended = true
    here.deliver('one', frame('2'))
    expect(texts).toEqual([])
  })
})
