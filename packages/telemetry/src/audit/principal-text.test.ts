import { expect, test } from 'vitest'
import { principalText } from './principal-text.ts'

test.each([
  ['["local","local"]', 'local'],
  ['["anonymous","anonymous"]', 'anonymous'],
  ['["api-key","ci"]', 'key ci'],
  ['["https://idp.example","alice"]', 'user alice of https://idp.example'],
  ['["https://idp.example","client","robot"]', 'client robot of https://idp.example'],
  ['["https://idp.example","client robot"]', 'user client robot of https://idp.example'],
  ['["https://idp.example","a \\"b\\""]', 'user a "b" of https://idp.example'],
  ['local|node', 'local|node'],
  ['["one"]', '["one"]'],
  ['[1,2]', '[1,2]'],
])('%s is %s', (key, text) => {
  expect(principalText(key)).toBe(text)
})
