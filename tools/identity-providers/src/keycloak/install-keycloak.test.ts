import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { installKeycloak } from './install-keycloak.ts'

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'junctor-keycloak-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

test('on a machine without Java, Java is named, and nothing is fetched', async () => {
  const cache = emptyFolder()
  vi.stubEnv('PATH', cache)
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(await installKeycloak(cache, () => {})).toEqual({ kind: 'lacking', program: 'java' })
  expect(readdirSync(cache)).toEqual([])
})
