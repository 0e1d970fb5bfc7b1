/**
 * The largest share that each owner may keep so that all together keep at most `most`: an owner with less than its share
 * leaves the rest to the others. `Infinity`: all fits.
 *
 * @param totals what each owner keeps
 */
export function fairShare(totals: readonly number[], most: number): number {
  let rest = most
  let owners = totals.length
  for (const total of totals.toSorted((one, other) => one - other)) {
    const share = rest / owners
    if (total > share) return share
    rest -= total
    owners -= 1
  }
  return Infinity
}
