import { expect, test } from 'vitest'
import { contentProblem } from './content-problem.ts'

const types = 'text, image, audio, resource, resource_link or custom/…'

test.each<[unknown, string]>([
  ['text', 'a type'],
  [{ text: 'a' }, 'a type'],
  [{ type: 'txt', text: 'a' }, `the type ${types}, got "txt"`],
  [{ type: 'toString' }, `the type ${types}, got "toString"`],
  [{ type: 'text' }, 'text'],
  [{ type: 'image', data: 'not base64!', mimeType: 'image/png' }, 'data that is base64'],
  [{ type: 'audio', data: 'aGk=', mimeType: 'wav' }, 'a mimeType such as image/png'],
  [{ type: 'resource', uri: 'x://a', text: 'a' }, 'a resource with a uri'],
  [{ type: 'resource', resource: { uri: 'x://a' } }, 'a resource with text or blob'],
  [{ type: 'resource_link', uri: 'x://a' }, 'a name'],
])('%j is refused by clients that check results', (block, lacking) => {
  const problem = `tool t: expected content[1] to have ${lacking}`
  expect(contentProblem('t', { content: [{ type: 'text', text: '' }, block] })).toBe(problem)
})

test.each([
  { type: 'image', data: 'aGk=', mimeType: 'image/png' },
  { type: 'resource', resource: { uri: 'x://a', blob: '' } },
  { type: 'resource_link', uri: 'x://a', name: 'a' },
  { type: 'custom/chart', points: [] },
])('%j is content', (block) => {
  expect(contentProblem('t', { content: [block] })).toBeUndefined()
})

test.each([undefined, new Error('no'), {}, { content: 'a' }])('%j has no content to check', (result) => {
  expect(contentProblem('t', result)).toBeUndefined()
})
