import { expect, test } from 'vitest'
import type { Outcome } from './outcome.ts'
import { peersIn } from './peers.ts'
import { printPage } from './print-page.ts'

const peers = peersIn('/cache').filter(({ name }) => name === 'go')

function outcome(feature: Outcome['feature'], result: Outcome['outcome']): Outcome {
  const era = 'handshake'
  const detail = result === 'failed' ? 'no answer' : ''
  return {
    client: { peer: 'go', era },
    server: { peer: 'go', era, transport: 'stdio' },
    feature,
    outcome: result,
    detail,
  }
}

test('the page counts what passed, and names what failed and what an SDK does not have', () => {
  const page = printPage(peers, [outcome('tools', 'passed'), outcome('prompts', 'failed')])
  expect(page).toContain('| Go, 2025-11-25 | 1 of 2 | 0 |')
  expect(page).toContain('1 passed, 1 failed.')
  expect(page).toContain('- go 2025-11-25 to go 2025-11-25 over stdio: `prompts`: no answer')
  expect(page).toContain('- Go, client: `tasks`: it does not have the tasks extension.')
  expect(page).toContain('- Go, server, 2026-07-28, http: `cancellation`:')
})

test('a page without failures has no section for them', () => {
  const page = printPage(peers, [outcome('tools', 'passed')])
  expect(page).toContain('| Go, 2025-11-25 | 1 | 0 |')
  expect(page).not.toContain('What failed')
})
