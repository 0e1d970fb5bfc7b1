import { isNode, LineCounter, parseDocument } from 'yaml'
import { pointerSteps } from './json-pointer.ts'

/** Texts above this length are not read again only to find lines. */
const longest = 2_000_000

/**
 * Returns a function that finds the line, counted from 1, of the value at a JSON pointer; of the nearest value above it
 * when it is absent. `undefined`: the text is too long to search. The text is read at the first call.
 */
export function createLineFinder(text: string): (pointer: string) => number | undefined {
  let find: ((pointer: string) => number) | undefined
  return (pointer) => (text.length > longest ? undefined : (find ??= finderIn(text))(pointer))
}

function finderIn(text: string): (pointer: string) => number {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, strict: false, uniqueKeys: false })
  return (pointer) => {
    const steps = [...pointerSteps(pointer)]
    for (;;) {
      const node = steps.length === 0 ? document.contents : document.getIn(steps, true)
      if (isNode(node) && node.range) return lines.linePos(node.range[0]).line
      if (steps.pop() === undefined) return 1
    }
  }
}
