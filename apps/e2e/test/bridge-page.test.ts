import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { requirements } from '../requirements.ts'
import { bridgedFeatures } from '../requirements/bridge.ts'
import { bridgePage } from '../src/bridge-page.ts'

test('docs/eras.md is what the requirements say: `pnpm docs:eras` writes it', () => {
  const page = readFileSync(new URL('../../../docs/eras.md', import.meta.url), 'utf8')
  expect(page).toBe(bridgePage(bridgedFeatures))
})

test('each feature names requirements that exist', () => {
  const named = bridgedFeatures.flatMap(({ requirements: ids }) => ids)
  expect(named.filter((id) => !Object.hasOwn(requirements, id))).toEqual([])
  expect(bridgedFeatures.filter(({ requirements: ids }) => ids.length === 0)).toEqual([])
})
