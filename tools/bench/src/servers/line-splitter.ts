/** Splits a stream of text into lines: each call returns the lines that its chunk completes. */
export function createLineSplitter(): (chunk: string) => readonly string[] {
  let rest = ''
  return (chunk) => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    return lines
  }
}
