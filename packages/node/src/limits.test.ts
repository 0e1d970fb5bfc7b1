import { parseConfig, printConfig, showConfig } from '@junctor/config'
import { expect, test } from 'vitest'
import { defaultLimits } from './limits.ts'

test('the configuration in effect, as check --show prints it, is a configuration', () => {
  const read = (text: string) => parseConfig(text, { file: 'junctor.yaml', plugins: [], env: {} })
  const parsed = read('backends: {}')
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems))
  const shown = showConfig(parsed.config, defaultLimits)
  const again = read(printConfig(shown))
  expect(again).toMatchObject({ kind: 'valid', config: { limits: defaultLimits } })
})
