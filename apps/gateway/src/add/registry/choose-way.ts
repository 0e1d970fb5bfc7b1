import type { PackageWay, RemoteWay, Way } from './document-ways.ts'

/** The way in which a server will be used, or why there is none. */
export type ChosenWay =
  | { readonly kind: 'chosen'; readonly way: RemoteWay | PackageWay }
  | { readonly kind: 'none'; readonly why: string }

/**
 * Chooses how to use a server: a remote with Streamable HTTP, then a package whose program is here, then any package, then
 * a remote with HTTP+SSE.
 *
 * @param number of the way that the user wants, from 1
 * @param isHere whether a program can be found
 */
export function chooseWay(
  ways: readonly Way[],
  number: number | undefined,
  isHere: (program: string) => boolean,
): ChosenWay {
  if (ways.length === 0) return { kind: 'none', why: 'it has neither remotes nor packages' }
  if (number !== undefined) {
    const way = ways[number - 1]
    if (way === undefined) return { kind: 'none', why: `expected --choice from 1 to ${ways.length}, got ${number}` }
    return way.kind === 'unusable' ? { kind: 'none', why: `${way.label}: ${way.why}` } : { kind: 'chosen', way }
  }
  const usable = ways.filter((way) => way.kind !== 'unusable')
  const [first] = usable.toSorted((a, b) => rank(a, isHere) - rank(b, isHere))
  if (first !== undefined) return { kind: 'chosen', way: first }
  const whys = ways.map((way) => (way.kind === 'unusable' ? `${way.label}: ${way.why}` : way.label))
  return { kind: 'none', why: whys.join('; ') }
}

function rank(way: RemoteWay | PackageWay, isHere: (program: string) => boolean): number {
  if (way.kind === 'remote') return way.transport === 'sse' ? 3 : 0
  return isHere(way.program) ? 1 : 2
}
