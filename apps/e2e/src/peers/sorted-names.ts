import type { Listed } from './official-client.ts'

/** The names of what was listed, in the order of the alphabet. */
export async function sortedNames(list: Promise<readonly Listed[]>): Promise<readonly string[]> {
  return (await list).map(({ name }) => name).toSorted()
}
