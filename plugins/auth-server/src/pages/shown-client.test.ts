import { expect, test } from 'vitest'
import { loginPage } from './login-page.ts'
import { shownName, shownPlace } from './shown-client.ts'

test.each([
  [String.raw`https://evil.example\.bank.example/`, 'https://evil.example/.bank.example/'],
  ['https://b\u0430nk.example/', 'https://xn--bnk-6cd.example/'],
  ['http://127.0.0.1:7777/callback', 'http://127.0.0.1:7777/callback'],
])('%s is shown as browsers understand it', (uri, shown) => {
  expect(shownPlace(uri)).toBe(shown)
})

test('a long name is cut', () => {
  expect(shownName('A program')).toBe('A program')
  expect(shownName('x'.repeat(101))).toBe(`${'x'.repeat(100)}…`)
})

test('a name that is written from right to left turns no other words around', () => {
  const html = loginPage({ client: '\u202Eevil', formToken: '', hasPasswords: true, upstreams: [] })
  expect(html).toContain('<p><bdi>\u202Eevil</bdi> asks you to log in.</p>')
})
