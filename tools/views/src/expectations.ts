import type { Locator } from 'playwright-core'

const timeoutMs = 10_000

/** Waits for a text that matches, and is another one than `other`. Returns it. */
export async function expectText(locator: Locator, pattern: RegExp, other?: string): Promise<string> {
  const end = performance.now() + timeoutMs
  for (;;) {
    const text = (await locator.textContent({ timeout: timeoutMs })) ?? ''
    if (pattern.test(text) && text !== other) return text
    if (performance.now() > end) throw new Error(`Expected a text like ${pattern.source}, got "${text}"`)
  }
}

/** Throws unless both texts are equal. */
export function expectEqual(what: string, actual: string, expected: string): void {
  if (actual === expected) return
  throw new Error(`Expected ${what} to be ${expected.slice(0, 200)}, got ${actual.slice(0, 200)}`)
}
