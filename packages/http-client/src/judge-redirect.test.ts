import { expect, test } from 'vitest'
import { judgeRedirect, type Redirected } from './judge-redirect.ts'

const from = new URL('https://api.example.com/v1/items?page=2')

function judge(change: Partial<Redirected>): ReturnType<typeof judgeRedirect> {
  const get = { from, method: 'GET', hasBody: false, status: 302, location: 'https://api.example.com/v2', left: 5 }
  return judgeRedirect({ ...get, ...change })
}

test.each([200, 204, 300, 304, 404, 500])('%i is an answer, also with a location', (status) => {
  expect(judge({ status })).toEqual({ kind: 'answer' })
})

test('a redirect without a location is an answer', () => {
  expect(judge({ location: undefined })).toEqual({ kind: 'answer' })
})

test('a relative location is resolved, and credentials in it are dropped', () => {
  expect(judge({ location: '../v2?x=1' })).toMatchObject({ kind: 'follow', otherOrigin: false })
  expect(judge({ location: '../v2?x=1' })).toHaveProperty('url.href', 'https://api.example.com/v2?x=1')
  expect(judge({ location: 'https://me:secret@other.example/' })).toMatchObject({ kind: 'follow', otherOrigin: true })
  expect(judge({ location: 'https://me:secret@other.example/' })).toHaveProperty('url.href', 'https://other.example/')
})

test.each([
  [301, 'POST', 'GET', false],
  [302, 'POST', 'GET', false],
  [303, 'PUT', 'GET', false],
  [303, 'HEAD', 'HEAD', true],
  [302, 'PUT', 'PUT', true],
  [307, 'POST', 'POST', true],
  [308, 'DELETE', 'DELETE', true],
] as const)('%i after %s becomes %s, body kept: %s', (status, method, next, withBody) => {
  expect(judge({ status, method, hasBody: true })).toMatchObject({ kind: 'follow', method: next, withBody })
})

test.each([
  ['a body for another origin', { status: 307, method: 'POST', hasBody: true, location: 'https://other.example/' }],
  ['from https to http', { location: 'http://api.example.com/' }],
  ['another scheme', { location: 'file:///etc/passwd' }],
  ['no URL', { location: 'http://[' }],
  ['too many', { left: 0 }],
])('%s is refused', (_what, change) => {
  expect(judge(change)).toMatchObject({ kind: 'refused' })
})
