/** Shorter values are words like `true` and `production`, and would make holes in ordinary text. */
const shortestSecret = 8

/**
 * Makes a function that takes the values out of a text that a child was given in its own environment: most are secrets,
 * and programs print what they were given.
 */
export function createRedaction(environment: Readonly<Record<string, string>>): (text: string) => string {
  const secrets = Object.values(environment)
    .flatMap((value) => value.split(/\r?\n/))
    .filter((line) => line.length >= shortestSecret)
    // The longest first: a value may be part of another one.
    .toSorted((left, right) => right.length - left.length)
  return (text) => secrets.reduce((clean, secret) => clean.replaceAll(secret, '***'), text)
}
