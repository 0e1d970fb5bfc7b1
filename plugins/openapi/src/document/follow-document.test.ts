import { expect, onTestFinished, test, vi } from 'vitest'
import type { DocumentSource } from './document-source.ts'
import { followDocument } from './follow-document.ts'

test('a document that takes longer than the interval is not read again for each of them', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const answer = Promise.withResolvers<{ readonly kind: 'unchanged' }>()
  const read = vi.fn<DocumentSource['read']>(() => answer.promise)
  const url = new URL('http://api.test/openapi.json')
  const unread = { shown: '', origin: '', others: new Map<string, string>(), readOther: read }
  const follower = followDocument({ ...unread, url, read }, '', 1_000, { changed: async () => {}, failed() {} })
  await vi.advanceTimersByTimeAsync(10_000)
  expect(read).toHaveBeenCalledOnce()
  answer.resolve({ kind: 'unchanged' })
  await vi.advanceTimersByTimeAsync(1)
  expect(read).toHaveBeenCalledTimes(2)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(read).toHaveBeenCalledTimes(3)
  await follower.close()
})
