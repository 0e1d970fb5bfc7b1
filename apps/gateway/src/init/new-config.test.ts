import { expect, test } from 'vitest'
import { newConfig } from './new-config.ts'

const nothing = { port: undefined, profile: undefined }

test('without backends there is one to try', () => {
  expect(newConfig({ backends: [], ...nothing }).config).toEqual({
    backends: { demo: { plugin: '@junctor/plugin-demo' } },
  })
})

test('what was wished for is in it, and nothing else', () => {
  const { config } = newConfig({ backends: [{ a: { command: 'x' } }], port: 0, profile: 'n8n' })
  expect(config).toEqual({ listen: { http: { port: 0 } }, profile: 'n8n', backends: { a: { command: 'x' } } })
})

test('the same from two places is one; others with one name get another one, and it is told', () => {
  const backends = [{ a: { command: 'x' } }, { a: { command: 'x' } }, { a: { command: 'y' } }, { a: { command: 'z' } }]
  expect(newConfig({ backends, ...nothing })).toEqual({
    config: { backends: { a: { command: 'x' }, 'a-2': { command: 'y' }, 'a-3': { command: 'z' } } },
    left: [
      { what: 'a', why: 'another one has its name: it is a-2 here' },
      { what: 'a', why: 'another one has its name: it is a-3 here' },
    ],
  })
})
