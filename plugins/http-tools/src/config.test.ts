import { expect, test } from 'vitest'
import * as z from 'zod'
import { config } from './config.ts'
import { namedHosts, shownUrl, sourceOf } from './sources.ts'

const defaults = { headers: {}, allowedHosts: [], refresh: 30_000 }

test.each([
  ['one component', { tool: 'http://weather.internal/' }, ['http://weather.internal/'], ['weather.internal']],
  [
    'several',
    { tool: ['http://a/', 'http://[::1]:80/', 'http://a/'] },
    ['http://a/', 'http://[::1]:80/'],
    ['a', '::1'],
  ],
  [
    'a pattern',
    { tool: 'http://{component}.spin.internal/', components: ['weather-tool', 'calculator-tool'] },
    ['http://weather-tool.spin.internal/', 'http://calculator-tool.spin.internal/'],
    ['weather-tool.spin.internal', 'calculator-tool.spin.internal'],
  ],
])('%s', (_what, written, urls, hosts) => {
  const parsed = z.parse(config, written)
  expect(sourceOf(parsed)).toEqual({ kind: 'listed', urls })
  expect(namedHosts(parsed)).toEqual(hosts)
})

test('a registry, and hosts that it may name', () => {
  const parsed = z.parse(config, { tool: { registry: 'https://r.example/x.json' }, allowedHosts: ['10.0.0.5'] })
  expect(parsed).toEqual({ ...defaults, tool: { registry: 'https://r.example/x.json' }, allowedHosts: ['10.0.0.5'] })
  expect(sourceOf(parsed)).toEqual({ kind: 'registry', url: 'https://r.example/x.json' })
  expect(namedHosts(parsed)).toEqual(['r.example', '10.0.0.5'])
})

test.each([
  ['500ms', 500],
  ['5s', 5_000],
  ['2m', 120_000],
])('a refresh of %s is %i milliseconds', (refresh, ms) => {
  expect(z.parse(config, { tool: 'http://a/', refresh }).refresh).toBe(ms)
})

test.each([
  ['no URL', { tool: 'weather' }, 'tool', 'a URL that begins with http:// or https://'],
  ['another scheme', { tool: 'ftp://a/' }, 'tool', 'a URL that begins'],
  ['an empty list', { tool: [] }, 'tool', 'at least one URL'],
  ['a pattern without names', { tool: 'http://{component}/' }, 'components', 'the names for {component}'],
  ['names without a pattern', { tool: 'http://a/', components: ['a'] }, 'tool', 'a URL with {component}'],
  [
    'a name that is no part of a URL',
    { tool: 'http://{component}/', components: ['a/b'] },
    'components.0',
    'a name of',
  ],
  ['a host with a scheme', { tool: 'http://a/', allowedHosts: ['http://b'] }, 'allowedHosts.0', 'a host'],
  ['a header with a line break', { tool: 'http://a/', headers: { k: 'a\nb' } }, 'headers.k', 'no line breaks'],
  ['a token with its scheme', { tool: 'http://a/', auth: { bearer: 'Bearer k' } }, 'auth.bearer', 'without "Bearer"'],
  ['a time without a unit', { tool: 'http://a/', refresh: '30' }, 'refresh', 'a time like 30s'],
  ['a time that no timer has', { tool: 'http://a/', refresh: '8760h' }, 'refresh', 'at most 596h'],
])('%s is a problem at its place', (_what, written, path, message) => {
  const parsed = z.safeParse(config, written)
  expect(parsed.error?.issues.map((issue) => issue.path.join('.'))).toContain(path)
  expect(parsed.error?.issues.map((issue) => issue.message).join('\n')).toContain(message)
})

test('logs and statuses show no query and no credentials', () => {
  expect(shownUrl('http://me:pw@a.internal:81/x?key=secret#y')).toBe('http://a.internal:81/x')
})
