import { looksMadeUp } from './looks-made-up.ts'
import { secretName } from './secret-name.ts'

/**
 * Returns the secrets in a URL: its password, and values of its query, as they are written and as a server reads them.
 * `undefined`: the text is no URL.
 */
export function urlSecrets(text: string): readonly string[] | undefined {
  // `Authorization: Bearer x` can be parsed as a URL as well, but has no authority.
  if (!/^[a-z][a-z\d+.-]*:\/\//i.test(text) || !URL.canParse(text)) return undefined
  const { password, search } = new URL(text)
  const written = password === '' ? [] : [`password=${password}`]
  return [...written, ...search.slice(1).split('&')].flatMap((parameter) => {
    const [[name, value] = ['', '']] = new URLSearchParams(parameter)
    if (!secretName.test(name) && !looksMadeUp(value)) return []
    return [...new Set([parameter.slice(parameter.indexOf('=') + 1), value])]
  })
}
