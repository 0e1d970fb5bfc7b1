import fc from 'fast-check'
import { expect, test } from 'vitest'
import { originalUri, possiblePrefix, uriFor } from './public-uri.ts'

test.each([
  ['files', 'file:///a b', 'files+file:///a b'],
  ['files', 'file:///{path}/{?q*}', 'files+file:///{path}/{?q*}'],
  ['repo', 'git+ssh://host/x', 'repo+git+ssh://host/x'],
  ['', 'file:///a', 'file:///a'],
])('prefix %o and %s give %s, and the original is restored', (prefix, original, offered) => {
  expect(uriFor(prefix, original)).toBe(offered)
  expect(originalUri(prefix, offered)).toBe(original)
})

test('a URI of another backend has no original under this prefix', () => {
  expect(originalUri('files', 'file:///a')).toBeUndefined()
  expect(originalUri('file', 'files+file:///a')).toBeUndefined()
  expect(originalUri('files', 'files')).toBeUndefined()
})

test.each([
  ['files+file:///a', 'files'],
  ['git+ssh://host/x', 'git'],
  ['repo+git+ssh://host', 'repo'],
  ['my-files2+x:y', 'my-files2'],
  ['file:///a+b', undefined],
  ['a+b', undefined],
  ['+x:y', undefined],
  ['Files+x:y', undefined],
  ['', undefined],
])('%o may carry the prefix %o', (uri, prefix) => {
  expect(possiblePrefix(uri)).toBe(prefix)
})

test('every URI is restored', () => {
  fc.assert(
    fc.property(fc.constantFrom('', 'a', 'some-backend'), fc.string(), (prefix, uri) => {
      expect(originalUri(prefix, uriFor(prefix, uri))).toBe(uri)
    }),
  )
})
