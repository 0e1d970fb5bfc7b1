import { expect, test } from 'vitest'
import { judgeUrl } from './judge-url.ts'

const named = new Set(['login.corp.example'])

test.each([
  ['https://as.example.com/authorize?x=1', undefined],
  ['http://127.0.0.1:8080/', undefined],
  ['http://localhost/', undefined],
  ['http://[::1]:3000/x', undefined],
  ['http://login.corp.example/x', undefined],
  ['http://as.example.com/', 'not https'],
  ['http://localhost.example.com/', 'not https'],
  ['http://1270.0.0.1/', 'not a URL'],
  ['https://user:secret@as.example.com/', 'credentials in the URL'],
  ['javascript:alert(1)', 'not a URL'],
  ['file:///etc/passwd', 'not a URL'],
  ['data:text/html,x', 'not a URL'],
  ['https://as.example.com/$(calc)', 'not a URL'],
  ['https://as.example.com/`calc`', 'not a URL'],
  ['https://as.example.com/a b', 'not a URL'],
  ['https://as.example.com/\r\nx', 'not a URL'],
  ['https://as.example.com/"x', 'not a URL'],
  ['https://', 'not a URL'],
  ['//as.example.com/', 'not a URL'],
  [null, 'not a URL'],
  [7, 'not a URL'],
])('%j is %s', (url, fault) => {
  expect(judgeUrl(url, named)).toBe(fault)
})
