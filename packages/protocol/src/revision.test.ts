import { expect, test } from 'vitest'
import { eraOf, isAtLeast, isRevision, latestHandshake, revisions } from './revision.ts'

test('only released revisions are accepted', () => {
  expect(revisions.every(isRevision)).toBe(true)
  expect([undefined, null, '', 20241105, '2024-11-06', '2026-07-28 ', '0.1.0'].filter(isRevision)).toEqual([])
})

test('the list is ordered by date, and only the last revision has no handshake', () => {
  expect(revisions.toSorted()).toEqual([...revisions])
  expect(revisions.map(eraOf)).toEqual(['handshake', 'handshake', 'handshake', 'handshake', 'modern'])
  expect(revisions.findLast((revision) => eraOf(revision) === 'handshake')).toBe(latestHandshake)
})

test('a revision is at least itself and every earlier one', () => {
  expect(revisions.filter((first) => isAtLeast('2025-06-18', first))).toEqual([
    '2024-11-05',
    '2025-03-26',
    '2025-06-18',
  ])
})
