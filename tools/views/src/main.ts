import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { findBrowser } from './find-browser.ts'
import { runViews } from './run-views.ts'

const help = `Usage: pnpm views [--screenshots <folder>]

Shows the example views of MCP Apps in a browser, through the gateway: behind a prefix, beside another view with the same
names, and at the endpoint of a single backend; with clients of both eras. Then a person logs in and agrees on the pages of
the login server, for official clients of both versions, and sees and ends accounts at servers. It needs Chromium or Chrome: the package
"chromium" of Debian, or CHROME_PATH with the path of one.

  --screenshots <folder>  where a picture of each page goes; default: .cache/views
  --help                  this`

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { screenshots: { type: 'string' }, help: { type: 'boolean', short: 'h' } } })
  if (values.help === true) {
    console.log(help)
    return 0
  }
  const browser = await findBrowser()
  if (browser === undefined) {
    console.error('This machine lacks Chromium. Install the package "chromium", or set CHROME_PATH.')
    return 2
  }
  const screenshots = values.screenshots ?? join(import.meta.dirname, '../../../.cache/views')
  const checks = await runViews(browser, screenshots, ({ name, problem }) =>
    console.log(problem === undefined ? `${name}: passed` : `${name}: failed: ${problem}`),
  )
  const failed = checks.filter(({ problem }) => problem !== undefined).length
  console.log(`\n${checks.length - failed} passed, ${failed} failed. The pictures are in ${screenshots}.`)
  return failed > 0 ? 1 : 0
}

try {
  process.exitCode = await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 2
}
