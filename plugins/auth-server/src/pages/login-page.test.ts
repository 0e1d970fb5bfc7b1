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

test('a phone does not change the letters of a name', () => {
  expect(loginPage(shown)).toMatch(/<input id="name"[^>]* autocapitalize="none" spellcheck="false"/)
})
