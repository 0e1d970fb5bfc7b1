const bytes = { B: 1, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 } as const

const pattern = /^(\d+(?:\.\d+)?)(B|KiB|MiB|GiB)$/

/** Parses a size such as `512B`, `64KiB`, `4MiB` into bytes; returns `undefined` for any other text. */
export function parseByteSize(text: string): number | undefined {
  const [, amount, unit] = pattern.exec(text) ?? []
  if (amount === undefined || unit === undefined) return undefined
  return Math.round(Number(amount) * bytes[unit as keyof typeof bytes])
}
