/** How far a call is, as its server tells it. */
export interface ToldProgress {
  readonly progress: number
  readonly total?: number | undefined
  readonly message?: string | undefined
}

const barWidth = 24

/** A bar when it is known how much there is to do, else what has been done. */
export function progressText({ progress, total, message = '' }: ToldProgress): string {
  if (total === undefined || total <= 0) return `${progress} ${message}`.trim()
  const part = Math.min(1, Math.max(0, progress / total))
  const done = Math.round(part * barWidth)
  return `[${'#'.repeat(done)}${' '.repeat(barWidth - done)}] ${Math.round(part * 100)}% ${message}`.trimEnd()
}
