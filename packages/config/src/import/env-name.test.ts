import { expect, test } from 'vitest'
import { envName } from './env-name.ts'

test.each([
  ['github-token', 'GITHUB_TOKEN'],
  ['apiKey', 'APIKEY'],
  ['my.api key!', 'MY_API_KEY'],
  ['2fa', 'INPUT_2FA'],
  ['', 'INPUT_'],
])('%j is %s', (id, name) => {
  expect(envName(id)).toBe(name)
})
