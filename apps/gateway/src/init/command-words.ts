/**
 * The words of a command line as a shell reads them: quotes keep words together. There are no variables and no pipes. A
 * backslash escapes a space and a quote, and is itself before anything else, because paths of Windows have them.
 * `undefined`: a quote is not closed.
 */
export function commandWords(line: string): readonly string[] | undefined {
  const words: string[] = []
  const piece = /\s+|"((?:[^"\\]|\\.)*)"|'([^']*)'|\\([\s"'])|([^\s"'\\]+|\\)|(.)/gsy
  let word: string | undefined
  for (const [space, double, single, escaped, plain, rest] of line.matchAll(piece)) {
    const text = double?.replace(/\\(["\\])/g, '$1') ?? single ?? escaped ?? plain
    if (rest !== undefined) return undefined
    if (text !== undefined) word = (word ?? '') + text
    else if (space !== '' && word !== undefined) {
      words.push(word)
      word = undefined
    }
  }
  return word === undefined ? words : [...words, word]
}
