import { expect, test } from 'vitest'
import { findBrowser } from './find-browser.ts'

test('a browser is one that can be started', async () => {
  expect(await findBrowser(process.execPath)).toBe(process.execPath)
  expect(await findBrowser('/no/such/browser')).toBeUndefined()
  expect(await findBrowser(import.meta.filename)).toBeUndefined()
})
