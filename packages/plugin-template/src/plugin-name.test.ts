import { expect, test } from 'vitest'
import { readPluginName } from './plugin-name.ts'

test.each([
  ['weather', 'weather', 'weather', 'weatherPlugin'],
  ['@acme/weather-report', 'weather-report', 'weather-report', 'weatherReportPlugin'],
  ['junctor-plugin', 'junctor-plugin', 'junctor-plugin', 'junctorPlugin'],
  ['a.b_c', 'a.b_c', 'a-b-c', 'aBCPlugin'],
  ['w'.repeat(70), 'w'.repeat(70), 'w'.repeat(64), `${'w'.repeat(70)}Plugin`],
])('%s is a name', (full, short, backend, identifier) => {
  expect(readPluginName(full)).toEqual({ kind: 'name', full, short, backend, identifier })
})

test.each([
  '',
  'Weather',
  '../weather',
  '@acme',
  '@acme/',
  'a/b',
  '.hidden',
  '1weather',
  "we'ather",
  'we ather',
  'we\nather',
  'node_modules',
  'w'.repeat(215),
])('%j is no name', (text) => {
  expect(readPluginName(text)).toMatchObject({ kind: 'bad' })
})
