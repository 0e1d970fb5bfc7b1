import type { HttpResponse } from '@junctor/plugin-sdk/http'
import { expect, test } from 'vitest'
import { fetchDocument } from './fetch-document.ts'

/** Fetches a document whose text is given, when another text is known. */
async function fetched(text: string, known: string | undefined) {
  const pieces = async function* () {
    yield Buffer.from(text)
  }
  const requests = {
    send: () => Promise.resolve({ status: 200, pieces } as unknown as HttpResponse),
    close: () => Promise.resolve(),
  }
  return fetchDocument(requests, 'http://components.example.com/', known, new AbortController().signal)
}

test('a text that is known is not parsed again', async () => {
  expect(await fetched('{"a":1}', undefined)).toEqual({ kind: 'document', value: { a: 1 }, text: '{"a":1}' })
  expect(await fetched('{"a":1}', '{"a":1}')).toEqual({ kind: 'unchanged' })
  expect(await fetched('{"a":2}', '{"a":1}')).toMatchObject({ kind: 'document', value: { a: 2 } })
})
