import { expect, test } from 'vitest'
import { newConfig } from './new-config.ts'

const nothing = { port: undefined, profile: undefined }

test('a configuration without backends gets the demo backend', () => {
  expect(newConfig({ backends: [], ...nothing }).config).toEqual({
    backends: { demo: { plugin: '@junctor/plugin-demo' } },
  })
})

test('the configuration contains the wishes, and nothing else', () => {
  const { config } = newConfig({ backends: [{ a: { command: 'x' } }], port: 0, profile: 'n8n' })
  expect(config).toEqual({ listen: { http: { port: 0 } }, profile: 'n8n', backends: { a: { command: 'x' } } })
})

test('equal backends from two places become one; different ones with one name are renamed, and it is reported', () => {
  const backends = [{ a: { command: 'x' } }, { a: { command: 'x' } }, { a: { command: 'y' } }, { a: { command: 'z' } }]
  expect(newConfig({ backends, ...nothing })).toEqual({
    config: { backends: { a: { command: 'x' }, 'a-2': { command: 'y' }, 'a-3': { command: 'z' } } },
    left: [
      { what: 'a', why: 'another one has its name: it is a-2 here' },
      { what: 'a', why: 'another one has its name: it is a-3 here' },
    ],
  })
})
