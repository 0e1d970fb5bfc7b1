import { expect, test } from 'vitest'
import { exampleServers } from './example-servers.ts'
import { servePage } from './serve-page.ts'

test('the page of the host has its script, with the official client and bridge in it', async () => {
  const page = await servePage()
  try {
    expect(await (await fetch(page.url)).text()).toContain('src="/host.js"')
    const script = await (await fetch(new URL('/host.js', page.url))).text()
    expect(script).toContain('connectHost')
    expect(script).not.toMatch(/from ?"@modelcontextprotocol/)
    expect((await fetch(new URL('/other', page.url))).status).toBe(404)
  } finally {
    await page.close()
  }
})

test.each(Object.entries(exampleServers))('the view of %s is in its package', async (_, { view }) => {
  expect(await view()).toContain('<!DOCTYPE html>')
})
