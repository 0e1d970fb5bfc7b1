import { isJsonObject, type JsonObject, type JsonValue } from '@junctor/jsonrpc'

/** Parts of names that usually hold secrets. */
const secretName = /token|secret|passw|api-?_?key|credential|authorization|cookie|private/i

/**
 * Where a configuration seems to contain secrets as plain text instead of references: `backends.search.env.API_KEY`.
 */
export function openSecrets(config: JsonObject): readonly string[] {
  return secretsIn(config, [])
}

function secretsIn(value: JsonValue | undefined, path: readonly string[]): readonly string[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => {
      const at = [...path, String(index)]
      const before = value[index - 1]
      const afterFlag = typeof before === 'string' && /^--?[\w-]+$/.test(before) && secretName.test(before)
      return afterFlag && isOpen(item) ? [at.join('.')] : secretsIn(item, at)
    })
  }
  if (isJsonObject(value)) {
    return Object.entries(value).flatMap(([name, member]) => {
      const at = [...path, name]
      return secretName.test(name) && isOpen(member) ? [at.join('.')] : secretsIn(member, at)
    })
  }
  return typeof value === 'string' && isTelling(value) ? [path.join('.')] : []
}

function isOpen(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && value !== '' && !value.includes('${')
}

/** `--token=…`, `Bearer …`, credentials in a URL. */
function isTelling(text: string): boolean {
  if (text.includes('${')) return false
  const [name = '', value = ''] = text.split(/=(.*)/s)
  return (
    (value !== '' && !name.includes('/') && secretName.test(name)) ||
    /\b(?:Bearer|Basic) \S/i.test(text) ||
    /:\/\/[^/?#\s]*@/.test(text) ||
    (/^https?:\/\//i.test(text) && secretName.test(text.split('?')[1] ?? ''))
  )
}
