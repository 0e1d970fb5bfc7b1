import { describe, expect, it } from 'vitest'
import { type AddedRecord, changeRecord, noneAdded } from './added-record.ts'

const any = { kind: 'none' } as const
const entry = { url: 'https://one.example/mcp' }

function recordAfter(record: AddedRecord, name: string): AddedRecord {
  const change = changeRecord(record, name, entry, any)
  if (!('record' in change)) throw new Error(change.kind)
  return change.record
}

describe('changeRecord', () => {
  it('adds, changes and removes, each with a higher revision', () => {
    const one = recordAfter(noneAdded, 'one')
    expect(one).toEqual({ last: 1, backends: { one: { entry, revision: 1 } } })
    const two = recordAfter(one, 'two')
    const other = { url: 'https://other.example/mcp' }
    expect(changeRecord(two, 'one', other, any)).toEqual({
      kind: 'changed',
      before: entry,
      undo: { kind: 'revision', revision: 3 },
      record: { last: 3, backends: { one: { entry: other, revision: 3 }, two: { entry, revision: 2 } } },
    })
    const removed = changeRecord(two, 'one', undefined, any)
    expect(removed).toEqual({
      kind: 'removed',
      before: entry,
      undo: { kind: 'absent' },
      record: { last: 3, backends: { two: { entry, revision: 2 } } },
    })
    // A backend that comes back has no revision of before.
    expect(recordAfter((removed as { record: AddedRecord }).record, 'one').backends['one']?.revision).toBe(4)
  })

  it('changes nothing for the same entry, and finds no backend that is not there', () => {
    const one = recordAfter(noneAdded, 'one')
    expect(changeRecord(one, 'one', { ...entry }, any)).toEqual({ kind: 'unchanged' })
    expect(changeRecord(one, 'two', undefined, any)).toEqual({ kind: 'absent' })
    expect(changeRecord(noneAdded, 'constructor', undefined, any)).toEqual({ kind: 'absent' })
  })

  it.each([
    [{ kind: 'absent' }, 'one', 'precondition_failed'],
    [{ kind: 'absent' }, 'two', 'added'],
    [{ kind: 'present' }, 'one', 'changed'],
    [{ kind: 'present' }, 'two', 'precondition_failed'],
    [{ kind: 'revision', revision: 1 }, 'one', 'changed'],
    [{ kind: 'revision', revision: 2 }, 'one', 'precondition_failed'],
    [{ kind: 'revision', revision: 1 }, 'two', 'precondition_failed'],
  ] as const)('%j of %s: %s', (precondition, name, kind) => {
    const one = recordAfter(noneAdded, 'one')
    expect(changeRecord(one, name, { url: 'https://new.example/mcp' }, precondition).kind).toBe(kind)
  })

  it('bounds their number and their size', () => {
    let record = noneAdded
    for (let index = 0; index < 200; index += 1) record = recordAfter(record, `b${index}`)
    expect(changeRecord(record, 'more', entry, any).kind).toBe('too_many')
    expect(changeRecord(record, 'b7', undefined, any).kind).toBe('removed')
    expect(changeRecord(noneAdded, 'big', { url: 'x'.repeat(600_000) }, any).kind).toBe('too_many')
  })
})
