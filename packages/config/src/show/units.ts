const durations = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
] as const

const sizes = [
  ['GiB', 1024 ** 3],
  ['MiB', 1024 ** 2],
  ['KiB', 1024],
] as const

/** Formats milliseconds as in the file: `30s`, `5m`, `1500ms`. */
export function formatDuration(duration: number): string {
  return inLargest(duration, durations) ?? `${duration}ms`
}

/** Formats bytes as in the file: `4MiB`, `1500B`. */
export function formatByteSize(size: number): string {
  return inLargest(size, sizes) ?? `${size}B`
}

/** Returns the amount in the largest unit that gives a whole number. */
function inLargest(amount: number, units: readonly (readonly [unit: string, size: number])[]): string | undefined {
  const found = amount === 0 ? undefined : units.find(([, size]) => amount % size === 0)
  return found && `${amount / found[1]}${found[0]}`
}
