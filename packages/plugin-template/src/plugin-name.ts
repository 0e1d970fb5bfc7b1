/** The names of a new plugin. */
export interface PluginName {
  readonly kind: 'name'
  /** The name of its package: `@acme/weather-report`. */
  readonly full: string
  /** Without the scope: `weather-report`. Its folder. */
  readonly short: string
  /** Its backend in the first configuration: a name has no `.` and `_` there. */
  readonly backend: string
  /** The plugin in the source: `weatherReportPlugin`. */
  readonly identifier: string
}

/** What npm allows for new packages, beginning with a letter, as the plugin in the source does. */
const npmName = /^(?:@[a-z0-9-][a-z0-9._-]*\/)?([a-z][a-z0-9._-]*)$/
const longest = 214
const longestBackend = 64

/** Reads the name of a new package. A name that npm would refuse is `bad`. */
export function readPluginName(text: string): PluginName | { readonly kind: 'bad'; readonly expected: string } {
  const short = npmName.exec(text)?.[1]
  if (short === undefined || text.length > longest || short === 'node_modules') {
    const expected = 'a name as npm allows it, such as weather or @acme/weather: small letters, digits, - . _'
    return { kind: 'bad', expected }
  }
  const words = short.split(/[._-]+/).filter((word) => word !== '')
  const camel = words.map((word, index) => (index === 0 ? word : word[0]?.toUpperCase() + word.slice(1))).join('')
  const backend = short.replaceAll(/[._]/g, '-').slice(0, longestBackend)
  return { kind: 'name', full: text, short, backend, identifier: /plugin$/i.test(camel) ? camel : `${camel}Plugin` }
}
