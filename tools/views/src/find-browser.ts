import { access, constants } from 'node:fs/promises'

const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** The path of a Chromium or Chrome: that of `CHROME_PATH`, or where packages install one. Undefined: there is none. */
export async function findBrowser(
  chosen: string | undefined = process.env['CHROME_PATH'],
): Promise<string | undefined> {
  for (const place of chosen === undefined ? places : [chosen]) {
    try {
      await access(place, constants.X_OK)
      return place
    } catch {
      // The next place may have one.
    }
  }
  return undefined
}
