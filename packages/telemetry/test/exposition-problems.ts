/** A metric, according to its comments and lines. */
interface Family {
  readonly name: string
  readonly type: string
  readonly lines: readonly string[]
}

const line = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{((?:[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\]|\\[\\n"])*",?)*)\})? (\S+)$/
const label = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\[\\n"])*)"/g
/** Words that `promtool check metrics` rejects in names: units that are not base units, and names of types. */
const wrongWord = /_(?:milliseconds|ms|minutes|hours|days|kilobytes|megabytes|percent|counter|gauge|histogram)(?:_|$)/

/** Returns what `promtool check metrics` would reject or could not parse; an empty list when there is nothing. */
export function expositionProblems(text: string): string[] {
  const problems: string[] = []
  if (!text.endsWith('\n')) problems.push('does not end with a line feed')
  const families = new Map<string, Family & { readonly lines: string[] }>()
  let current: (Family & { readonly lines: string[] }) | undefined
  let help: string | undefined
  for (const each of text.split('\n').filter((any) => any !== '')) {
    const [, comment, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) ?(.*)$/.exec(each) ?? []
    if (comment === 'HELP') {
      if (rest === '') problems.push(`${name} has an empty HELP`)
      help = name
    } else if (comment === 'TYPE') {
      if (help !== name) problems.push(`${name} has no HELP of its own before its TYPE`)
      if (families.has(name)) problems.push(`${name} is there twice`)
      current = { name, type: rest, lines: [] }
      families.set(name, current)
    } else if (current === undefined) problems.push(`"${each}" belongs to nothing`)
    else current.lines.push(each)
  }
  const seen = new Set<string>()
  for (const family of families.values()) {
    problems.push(...nameProblems(family))
    for (const each of family.lines) problems.push(...lineProblems(family, each, seen))
    if (family.type === 'histogram') problems.push(...bucketProblems(family))
  }
  return problems
}

function nameProblems({ name, type }: Family): string[] {
  const problems: string[] = []
  if (type === 'counter' && !name.endsWith('_total')) problems.push(`${name} is a counter and does not end in _total`)
  if (type !== 'counter' && name.endsWith('_total')) problems.push(`${name} is no counter and ends in _total`)
  if (type !== 'histogram' && /_(?:bucket|count|sum)$/.test(name)) problems.push(`${name} ends as part of a histogram`)
  if (wrongWord.test(name)) problems.push(`${name} is not in a base unit, or names its type`)
  return problems
}

function lineProblems({ name, type }: Family, each: string, seen: Set<string>): string[] {
  const [, metric = '', labels = '', value = ''] = line.exec(each) ?? []
  if (metric === '') return [`"${each}" cannot be read`]
  const problems: string[] = []
  const parts = type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name]
  if (!parts.includes(metric)) problems.push(`"${each}" is not part of ${name}`)
  if (!/^(?:[+-]Inf|NaN|Nan|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/.test(value)) problems.push(`"${each}" has no number`)
  if (type === 'counter' && Number(value) < 0) problems.push(`"${each}" is below zero`)
  const series = `${metric}{${[...labels.matchAll(label)]
    .map(([pair]) => pair)
    .toSorted()
    .join(',')}}`
  if (seen.has(series)) problems.push(`${series} is there twice`)
  seen.add(series)
  return problems
}

/** Checks each set of labels: bounds rise, counts do not fall, `+Inf` exists and equals the count. */
function bucketProblems({ name, lines }: Family): string[] {
  const series = new Map<string, { bounds: number[]; counts: number[]; count: number; sum: boolean }>()
  for (const each of lines) {
    const [, metric = '', labels = '', value = ''] = line.exec(each) ?? []
    const pairs = [...labels.matchAll(label)]
    const bound = pairs.find(([, key]) => key === 'le')?.[2]
    const key = pairs
      .filter(([, word]) => word !== 'le')
      .map(([pair]) => pair)
      .join(',')
    const of = series.get(key) ?? { bounds: [], counts: [], count: Number.NaN, sum: false }
    series.set(key, of)
    if (metric === `${name}_count`) of.count = Number(value)
    else if (metric === `${name}_sum`) of.sum = true
    else {
      of.bounds.push(bound === '+Inf' ? Infinity : Number(bound))
      of.counts.push(Number(value))
    }
  }
  return [...series].flatMap(([key, { bounds, counts, count, sum }]) => {
    const problems: string[] = []
    if (!sum) problems.push('no sum')
    if (bounds.at(-1) !== Infinity) problems.push('no +Inf')
    if (counts.at(-1) !== count) problems.push('+Inf is not the count')
    if (bounds.some((bound, index) => !(bound > (bounds[index - 1] ?? -Infinity)))) problems.push('bounds do not rise')
    if (counts.some((each, index) => each < (counts[index - 1] ?? 0))) problems.push('counts fall')
    return problems.map((problem) => `${name}{${key}}: ${problem}`)
  })
}
