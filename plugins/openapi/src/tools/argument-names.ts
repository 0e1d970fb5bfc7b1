import type { Parameter } from '../operations/parameter.ts'

/** The argument that holds the body. */
export const bodyArgument = 'body'

/** The longest name of an argument that model APIs accept. */
const longestName = 64

/**
 * The name of each parameter's argument: the parameter's own name, with `_` for characters that model APIs refuse
 * (`filter[state]` becomes `filter_state`). Where two would be the same, the later one gets its place: `id_query`.
 */
export function argumentNames(parameters: readonly Parameter[], hasBody: boolean): ReadonlyMap<Parameter, string> {
  const taken = new Set(hasBody ? [bodyArgument] : [])
  // The last number of each name with a place, so that many equal names are not counted from one again.
  const numbers = new Map<string, number>()
  return new Map(
    parameters.map((parameter) => {
      const wanted = legalName(parameter.name)
      const placed = `${wanted.slice(0, longestName - 10)}_${parameter.place}`
      let name = wanted
      let number = numbers.get(placed) ?? 0
      while (taken.has(name)) {
        number += 1
        name = number === 1 ? placed : `${placed}${number}`
      }
      numbers.set(placed, number)
      taken.add(name)
      return [parameter, name]
    }),
  )
}

function legalName(name: string): string {
  const legal = name
    .replaceAll(/[^A-Za-z0-9_.-]+/g, '_')
    .replaceAll(/^_+|(?<!_)_+$/g, '')
    .slice(0, longestName)
  return legal === '' ? 'value' : legal
}
