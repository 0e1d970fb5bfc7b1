import { expect, test } from 'vitest'
import { loginPage } from './login-page.ts'

const shown = { client: 'Claude', formToken: 't', hasPasswords: true, upstreams: [] }

test.each([
  [undefined, 'name'],
  ['ada', 'password'],
])('with the name %j, the keyboard writes the %s', (name, field) => {
  const html = loginPage({ ...shown, ...(name !== undefined && { name, problem: 'wrong' }) })
  expect(html.match(/<input id="(\w+)"[^>]*autofocus>/)?.[1]).toBe(field)
  expect(html.match(/autofocus/g)).toHaveLength(1)
})
