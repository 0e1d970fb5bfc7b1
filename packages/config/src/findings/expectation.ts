import type * as z from 'zod'

type Issue = z.core.$ZodIssue

/** What a section of the file is. */
export const mapping = 'a mapping'

const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: mapping,
  record: mapping,
  array: 'a list',
  tuple: 'a list',
  null: 'null',
}

/** The beginnings of zod's default messages, used when a schema has no message of its own. */
const standardMessage = /^(?:Invalid|Too (?:big|small)|Unrecognized)\b/

/** Whether a message is that of zod, and not of the schema. */
export function isStandardMessage(message: string): boolean {
  return standardMessage.test(message)
}

/** Describes the expected value of an issue. */
export function expectation(issue: Issue): string {
  if (!isStandardMessage(issue.message)) return issue.message
  switch (issue.code) {
    case 'invalid_type':
      return kinds[issue.expected] ?? issue.expected
    case 'invalid_value':
      return oneOf(issue.values.map((value) => JSON.stringify(value)))
    case 'too_small':
      return `${amount('at least', issue.origin, issue.minimum)}${issue.inclusive === false ? ', not included' : ''}`
    case 'too_big':
      return `${amount('at most', issue.origin, issue.maximum)}${issue.inclusive === false ? ', not included' : ''}`
    case 'invalid_format':
      return issue.format === 'url' ? 'a URL such as https://mcp.example.com/mcp' : `text in the format ${issue.format}`
    case 'invalid_key':
      return issue.issues[0] === undefined ? 'another name' : expectation(issue.issues[0])
    case 'invalid_element':
    case 'invalid_union':
    case 'not_multiple_of':
    case 'unrecognized_keys':
    case 'custom':
      break
  }
  return issue.message.replace(/^Invalid input: expected /, '').replace(/, received .*$/s, '')
}

/** Joins choices: `a, b or c`. */
export function oneOf(choices: readonly string[]): string {
  if (choices.length < 2) return choices[0] ?? 'nothing'
  return `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`
}

function amount(bound: string, origin: string, limit: number | bigint): string {
  if (origin === 'string') return `${bound} ${limit} characters`
  if (origin === 'array' || origin === 'set') return `${bound} ${limit} ${Number(limit) === 1 ? 'item' : 'items'}`
  return `${bound} ${limit}`
}
