import { parseSync } from 'oxc-parser'

/** One import or re-export of a source file. */
export interface Import {
  readonly specifier: string
  /** False when it disappears with the types, so that it cannot be part of a cycle at run time. */
  readonly isValue: boolean
}

const typeOnly = /^(?:import|export)\s+type\b/

/** Everything a file imports, in every syntax: static, re-export, dynamic with a literal name. */
export function importsOf(file: string, source: string): Import[] {
  const { module, errors } = parseSync(file, source)
  if (errors[0] !== undefined) throw new Error(`${file}: ${errors[0].message}`)

  // `import { type X } from 'x'` still loads x when types are stripped; only `import type` does not.
  const isValue = (start: number, entries: readonly { readonly isType: boolean }[]): boolean =>
    !(entries.length > 0 && entries.every((entry) => entry.isType) && typeOnly.test(source.slice(start, start + 32)))

  return [
    ...module.staticImports.map(({ start, moduleRequest, entries }) => ({
      specifier: moduleRequest.value,
      isValue: isValue(start, entries),
    })),
    ...module.staticExports.flatMap(({ start, entries }) => {
      const specifier = entries.find((entry) => entry.moduleRequest !== null)?.moduleRequest?.value
      return specifier === undefined ? [] : [{ specifier, isValue: isValue(start, entries) }]
    }),
    ...module.dynamicImports.flatMap(({ moduleRequest }) => {
      const literal = /^(['"`])([^$]*)\1$/.exec(source.slice(moduleRequest.start, moduleRequest.end))
      return literal?.[2] === undefined ? [] : [{ specifier: literal[2], isValue: true }]
    }),
  ]
}
