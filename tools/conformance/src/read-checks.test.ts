import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readChecks } from './read-checks.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'read-checks-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function write(scenario: string, checks: object[]): void {
  mkdirSync(join(folder, scenario))
  writeFileSync(join(folder, scenario, 'checks.json'), JSON.stringify(checks))
}

it('counts passed checks, over all scenarios', () => {
  write('server-ping-2026-11-21T03-33-07-647Z', [{ id: 'ping', status: 'SUCCESS' }])
  write('server-tools-list-2026-11-21T03-33-07-656Z', [
    { id: 'incoming-response', status: 'INFO' },
    { id: 'tools-list', status: 'SUCCESS' },
    { id: 'wire-schema-valid', status: 'SUCCESS' },
  ])
  expect(readChecks(folder)).toEqual({ passed: 3, failures: [], warnings: [] })
})

it('names failures and warnings, with the scenario and the reason', () => {
  write('sse-retry-2026-11-21T03-33-07-647Z', [
    { id: 'reconnect', status: 'FAILURE', errorMessage: 'Client did not come back' },
    { id: 'timing', status: 'WARNING', errorMessage: 'late' },
    { id: 'other', status: 'FAILURE' },
  ])
  expect(readChecks(folder)).toEqual({
    passed: 0,
    failures: ['sse-retry / reconnect: Client did not come back', 'sse-retry / other: no reason given'],
    warnings: ['sse-retry / timing: late'],
  })
})

it('finds nothing in an empty folder', () => {
  expect(readChecks(folder)).toEqual({ passed: 0, failures: [], warnings: [] })
})
