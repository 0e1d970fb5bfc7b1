import { expect, test } from 'vitest'
import { eraOf, latestHandshake, revisions } from '../revision.ts'
import { mcpProfile } from './mcp.ts'

test('accepts every revision that opens with a handshake, newest first', () => {
  const handshakes = revisions.filter((revision) => eraOf(revision) === 'handshake')
  expect(mcpProfile.revisions).toEqual(handshakes.toReversed())
  expect(mcpProfile.revisions[0]).toBe(latestHandshake)
})

test.each([
  [undefined, true],
  ['2024-11-05', true],
  ['2025-03-26', true],
  ['2025-06-18', true],
  ['2025-11-25', false],
  ['2026-07-28', false],
] as const)('an error for an unreadable request at %s has "id": null: %s', (revision, says) => {
  expect(mcpProfile.nullId(revision)).toBe(says)
})
