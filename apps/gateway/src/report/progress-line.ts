/** How far a call is, as its server tells it. */
export interface ToldProgress {
  readonly progress: number
  readonly total?: number | undefined
  readonly message?: string | undefined
}

/** One line on a terminal that is written over; nothing where there is no terminal. */
export interface ProgressLine {
  show(update: ToldProgress): void
  clear(): void
}

const barWidth = 24

export function createProgressLine(stream: NodeJS.WriteStream): ProgressLine {
  let shown = false
  return {
    show(update) {
      if (!stream.isTTY) return
      shown = true
      stream.write(`\r\u001b[K${progressText(update).slice(0, stream.columns - 1)}`)
    },
    clear() {
      if (shown) stream.write('\r\u001b[K')
      shown = false
    },
  }
}

/** A bar when it is known how much there is to do, else what has been done. */
export function progressText({ progress, total, message = '' }: ToldProgress): string {
  if (total === undefined || total <= 0) return `${progress} ${message}`.trim()
  const part = Math.min(1, Math.max(0, progress / total))
  const done = Math.round(part * barWidth)
  return `[${'#'.repeat(done)}${' '.repeat(barWidth - done)}] ${Math.round(part * 100)}% ${message}`.trimEnd()
}
