import type { JsonValue } from '@junctor/jsonrpc'
import { createRequest } from '@junctor/testkit'
import { expect, it } from 'vitest'
import { readListenFilter } from './listen-filter.ts'

const read = (notifications?: JsonValue) =>
  readListenFilter(createRequest('subscriptions/listen', notifications === undefined ? {} : { notifications }))

it('reads what a client wants, and keeps apart what this revision does not know', () => {
  const asked = { toolsListChanged: true, promptsListChanged: false, resourceSubscriptions: ['a:b', 'a:c', 'a:b'] }
  expect(read({ ...asked, unheardOf: true })).toEqual({
    kind: 'filter',
    lists: ['toolsListChanged'],
    uris: ['a:b', 'a:c'],
    tasks: [],
    others: { unheardOf: true },
  })
  expect(read({})).toEqual({ kind: 'filter', lists: [], uris: [], tasks: [], others: {} })
  expect(read({ taskIds: ['t', 't', 'u'] })).toMatchObject({ tasks: ['t', 'u'] })
  expect(read({ toolsListChanged: null, resourceSubscriptions: null, taskIds: null })).toEqual(read({}))
  expect(read({ taskIds: [1] })).toMatchObject({ kind: 'bad' })
})

it.each([
  [undefined, '"notifications"'],
  [null, '"notifications"'],
  [[], '"notifications"'],
  [{ toolsListChanged: 'yes' }, '"toolsListChanged"'],
  [{ resourcesListChanged: 0 }, '"resourcesListChanged"'],
  [{ resourceSubscriptions: 'a:b' }, '"resourceSubscriptions"'],
  [{ resourceSubscriptions: ['a:b', 7] }, '"resourceSubscriptions"'],
])('%j is refused', (notifications, member) => {
  expect(read(notifications as JsonValue)).toEqual({ kind: 'bad', message: expect.stringContaining(member) })
})
