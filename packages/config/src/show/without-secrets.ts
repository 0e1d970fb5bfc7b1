import type { JsonValue } from '@junctor/jsonrpc'
import { secretWords } from '../secrets/secret-name.ts'

/** Replaces a secret. */
export const hidden = '(secret)'

/** Parts of names whose values are not shown: more than those of secrets, because what is shown need not be complete. */
const hiddenWords = `${secretWords}|headers?|env|hash`

const hiddenName = new RegExp(hiddenWords, 'i')

/** `--api-key`, `-H`: the next argument is a secret. */
const secretFlag = new RegExp(`^(?:--?[\\w-]*(?:${hiddenWords})[\\w-]*|-[He])$`, 'i')

/** `API_KEY=…`, `--token=…`, `Authorization: …`. The rest of the text is a secret. */
const assignment = new RegExp(`^(.*?[\\w-]*(?:${hiddenWords})[\\w-]*["']?\\s*[=:]\\s*)(?!//).+$`, 'is')

/**
 * Returns the options of a plugin without secrets. A schema may not mark all of them, so everything that may be one is
 * hidden: all values below a name such as `auth`, `env`, `headers` or `apiKey`, text after such a name, values of
 * references, credentials and queries in URLs, and long runs of letters and digits that are not words.
 *
 * @param secrets the values that are known to be secrets
 */
export function withoutSecrets(options: unknown, secrets: readonly string[]): JsonValue | undefined {
  const known = secrets.filter((value) => value !== '')
  const show = (value: unknown): JsonValue | undefined => {
    if (value === undefined || value === null) return value
    if (Array.isArray(value))
      return value.map((item: unknown, index) => (isAfterFlag(value, index) ? hidden : (show(item) ?? null)))
    if (isPlain(value))
      return mapMembers(value, (name, member) => (hiddenName.test(name) ? hideAll(member) : show(member)))
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return hidden
    if (known.some((secret) => String(value).includes(secret))) return hidden
    return typeof value === 'string' ? textWithoutSecrets(value) : value
  }
  return show(options)
}

/** Hides all values and keeps their names, so that the values can be filled in again. */
function hideAll(value: unknown): JsonValue | undefined {
  if (value === undefined || value === null) return value
  if (Array.isArray(value)) return value.map((item) => hideAll(item) ?? null)
  return isPlain(value) ? mapMembers(value, (_name, member) => hideAll(member)) : hidden
}

function textWithoutSecrets(text: string): string {
  return text
    .replace(/(:\/\/)[^/?#\s]*@/g, `$1${hidden}@`)
    .replace(/(:\/\/[^?\s]*\?)\S+/g, `$1${hidden}`)
    .replace(/\b(Bearer|Basic)\s+\S+/gi, `$1 ${hidden}`)
    .replace(assignment, `$1${hidden}`)
    .replace(/[\w+-]{20,}={0,2}/g, (run) => (/\d/.test(run) && /[a-z]/i.test(run) ? hidden : run))
}

function isAfterFlag(items: readonly unknown[], index: number): boolean {
  const before = items[index - 1]
  return typeof before === 'string' && secretFlag.test(before) && typeof items[index] === 'string'
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

function mapMembers(
  value: Readonly<Record<string, unknown>>,
  map: (name: string, member: unknown) => JsonValue | undefined,
): JsonValue {
  const members = Object.entries(value).map(([name, member]) => [name, map(name, member)] as const)
  return Object.fromEntries(members.filter(([, member]) => member !== undefined)) as JsonValue
}
