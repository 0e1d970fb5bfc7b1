import { expect, test } from 'vitest'
import { joinedHeaders } from './joined-headers.ts'

test('headers that came several times are one text, but for cookies', () => {
  const received = { 'x-one': 'a', 'www-authenticate': ['Basic', 'Bearer scope="x"'], 'set-cookie': ['a=1', 'b=2'] }
  expect(joinedHeaders(received)).toEqual({ ...received, 'www-authenticate': 'Basic, Bearer scope="x"' })
})

test('headers that came once stay as they are', () => {
  const received = { 'x-one': 'a', 'set-cookie': ['a=1'], absent: undefined }
  expect(joinedHeaders(received)).toBe(received)
})
