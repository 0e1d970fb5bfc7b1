import type { Listed } from './official-client.ts'

/** The names of listed items, in alphabetical order. */
export async function sortedNames(list: Promise<readonly Listed[]>): Promise<readonly string[]> {
  return (await list).map(({ name }) => name).toSorted()
}
