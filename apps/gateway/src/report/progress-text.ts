/** The progress of a call, as its server reports it. */
export interface ReportedProgress {
  readonly progress: number
  readonly total?: number | undefined
  readonly message?: string | undefined
}

const barWidth = 24

/** A bar when the total is known, else the progress so far. */
export function progressText({ progress, total, message = '' }: ReportedProgress): string {
  if (total === undefined || total <= 0) return `${progress} ${message}`.trim()
  const part = Math.min(1, Math.max(0, progress / total))
  const done = Math.round(part * barWidth)
  return `[${'#'.repeat(done)}${' '.repeat(barWidth - done)}] ${Math.round(part * 100)}% ${message}`.trimEnd()
}
