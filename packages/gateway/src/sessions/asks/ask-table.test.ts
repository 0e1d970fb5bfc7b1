import { describe, expect, it } from 'vitest'
import { askNumber } from '@junctor/exchange'
import { type Answer, payloadOf } from '@junctor/jsonrpc'
import { createManualClock } from '../../../test/support/manual-clock.ts'
import { createAskTable } from './ask-table.ts'

const one = askNumber('n-1')
const yes: Answer = { result: payloadOf({ yes: true }) }

function setUp() {
  const clock = createManualClock()
  const table = createAskTable(clock)
  const settled: { id: string; answer: Answer; withdrawn: string | undefined }[] = []
  const add = (id: string, session: string | undefined) =>
    table.add(id, {
      session,
      revision: '2025-11-25',
      timeoutMs: 1_000,
      settle: (answer, withdrawn) => void settled.push({ id, answer, withdrawn }),
    })
  return { clock, table, settled, add }
}

describe('AskTable', () => {
  it('gives an answer to the question, once', () => {
    const { table, settled, add, clock } = setUp()
    add('n-1', 's_1')
    expect([table.answer(one, 's_1', yes), table.answer(one, 's_1', yes)]).toEqual([true, false])
    expect(settled).toEqual([{ id: 'n-1', answer: yes, withdrawn: undefined }])
    expect([table.size, clock.waiting]).toEqual([0, 0])
  })

  it('of two questions with one number, answers that of the session', () => {
    const { table, settled, add } = setUp()
    const [first, second] = ['n-1', `n-${(1 + 2 ** 19).toString(36)}`]
    add(first, 's_1')
    add(second, 's_2')
    expect(askNumber(second)).toBe(one)
    expect([table.answer(one, 's_1', yes), table.answer(one, 's_1', yes), table.size]).toEqual([true, false, 1])
    table.remove(second)
    expect([settled.map(({ id }) => id), table.size]).toEqual([[first], 0])
  })

  it('settles the questions of a silent session, those that come too, and no others', async () => {
    const { table, settled, add } = setUp()
    for (const number of [1, 2]) add(`n-${number}`, `s_${number}`)
    table.silence('s_1')
    add('n-later', 's_1')
    add('n-other', 's_2')
    expect(settled.map(({ id }) => id)).toEqual(['n-1'])
    await Promise.resolve()
    const gone = { error: expect.objectContaining({ data: expect.anything() as unknown }) as unknown }
    expect(settled).toMatchObject([
      { id: 'n-1', answer: gone },
      { id: 'n-later', answer: gone },
    ])
    // Another session may get the id.
    table.endSession('s_1')
    add('n-again', 's_1')
    await Promise.resolve()
    expect([settled.length, table.size]).toEqual([2, 3])
  })

  it.each([
    ['another session', 'n-1', 's_2'],
    ['a session that was not asked', 'n-2', 's_1'],
    ['a session when none was asked', 'n-3', 's_1'],
  ])('takes no answer from %s', (_, id, session) => {
    const { table, settled, add } = setUp()
    add('n-1', 's_1')
    add('n-3', undefined)
    expect(table.answer(askNumber(id), session, yes)).toBe(false)
    expect([settled, table.size]).toEqual([[], 2])
  })

  it('settles the question with an error when the client takes too long', () => {
    const { table, settled, add, clock } = setUp()
    add('n-1', 's_1')
    clock.advance(1_000)
    expect(settled).toMatchObject([{ id: 'n-1', withdrawn: 'The client did not answer in time' }])
    expect([table.size, clock.waiting]).toEqual([0, 0])
  })

  it('settles the questions of a session that has ended, and of no other', () => {
    const { table, settled, add } = setUp()
    add('n-1', 's_1')
    add('n-2', 's_2')
    table.endSession('s_1')
    expect(settled.map(({ id }) => id)).toEqual(['n-1'])
    expect(settled[0]?.answer).toHaveProperty('error')
    expect(table.size).toBe(1)
  })

  it('removes a question that was settled elsewhere', () => {
    const { table, settled, add, clock } = setUp()
    add('n-1', 's_1')
    table.remove('n-1')
    clock.advance(10_000)
    expect([settled, table.size]).toEqual([[], 0])
  })
})
