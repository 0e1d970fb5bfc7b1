import { expect, test } from 'vitest'
import { mcpProfile } from '../profiles/mcp.ts'
import { negotiate } from './negotiate.ts'

test.each(mcpProfile.revisions)('%s is answered with itself', (revision) => {
  expect(negotiate(revision, mcpProfile)).toBe(revision)
})

test.each([
  ['2026-07-28'],
  ['2099-01-01'],
  ['2025-11-25 '],
  [''],
  [undefined],
  [null],
  [20251125],
  [{}],
  [['2024-11-05']],
])('%o is answered with the newest revision', (requested) => {
  expect(negotiate(requested, mcpProfile)).toBe('2025-11-25')
})

test('a profile answers with its own newest revision', () => {
  expect(negotiate('2025-11-25', { revisions: ['2025-06-18', '2025-03-26'], versions: {} })).toBe('2025-06-18')
})
