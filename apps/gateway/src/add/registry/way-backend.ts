import type { JsonObject } from '@junctor/jsonrpc'
import { type Answers, isReference } from './answer.ts'
import type { ArgumentTemplate, NamedTemplate, PackageWay, RemoteWay } from './document-ways.ts'
import { fillTemplate, timesOf } from './filled-text.ts'
import type { Question } from './template.ts'

/** A backend for the configuration, or why there can be none. */
export type WayBackend =
  | { readonly kind: 'backend'; readonly backend: JsonObject }
  /** These have no answer, and are required. */
  | { readonly kind: 'missing'; readonly questions: readonly Question[] }
  | { readonly kind: 'refused'; readonly why: string }

/** Collects what is missing and what cannot be, so that all of it is reported together. */
interface Findings {
  readonly missing: Map<string, Question>
  readonly refused: string[]
}

/** Writes a way as a backend of the configuration, with the answers of the user. */
export function wayBackend(way: RemoteWay | PackageWay, answers: Answers): WayBackend {
  const findings: Findings = { missing: new Map(), refused: [] }
  const backend = way.kind === 'remote' ? remoteBackend(way, answers, findings) : packageBackend(way, answers, findings)
  if (findings.missing.size > 0) return { kind: 'missing', questions: [...findings.missing.values()] }
  const [why] = findings.refused
  return why === undefined ? { kind: 'backend', backend } : { kind: 'refused', why }
}

function remoteBackend({ url, headers }: RemoteWay, answers: Answers, findings: Findings): JsonObject {
  const filled = filledText({ name: 'url', template: url }, answers, findings) ?? ''
  const sent = filledAll(headers, answers, findings)
  return { url: filled, ...(Object.keys(sent).length > 0 && { headers: sent }) }
}

function packageBackend(way: PackageWay, answers: Answers, findings: Findings): JsonObject {
  const { program, before, spec } = way
  const runtime = way.runtimeArguments.flatMap((argument) => argumentWords(argument, answers, findings))
  const own = way.packageArguments.flatMap((argument) => argumentWords(argument, answers, findings))
  const environment = filledAll(way.environment, answers, findings)
  const inContainer = way.described.registryType === 'oci'
  const container = inContainer ? containerWords(runtime, environment) : undefined
  const words = container?.words ?? runtime.filter((word) => word !== '-y' && word !== '--yes')
  const env = container?.env ?? environment
  const after = own.length === 0 ? spec.filter((word) => word !== '--') : [...spec, ...own]
  return { command: program, args: [...before, ...words, ...after], ...(Object.keys(env).length > 0 && { env }) }
}

/**
 * The variables of a container. A value by reference goes through the environment of docker, where other users do not
 * see it. All others are arguments, so that a publisher cannot set variables of docker itself, such as `DOCKER_HOST`.
 */
function containerWords(
  runtime: readonly string[],
  environment: Readonly<Record<string, string>>,
): { readonly words: readonly string[]; readonly env: Readonly<Record<string, string>> } {
  const env: Record<string, string> = {}
  const variable = (name: string, value: string): readonly string[] => {
    if (!isReference(value)) return ['-e', `${name}=${value}`]
    env[name] = value
    return ['-e', name]
  }
  // Words that are there already.
  const own = runtime.filter((word) => !['run', '-i', '--interactive', '--rm', '-it'].includes(word))
  const words = own.flatMap((word, index) => {
    const flag = /^(?:-e|--env)$/.test(word)
    const [, name = '', value = ''] = /^(?:--env=)?([A-Za-z_]\w*)=(.*)$/s.exec(word) ?? []
    const isValue = /^(?:-e|--env)$/.test(own[index - 1] ?? '') || word.startsWith('--env=')
    if (isValue && name !== '') return variable(name, value)
    return flag && /^[A-Za-z_]\w*=/.test(own[index + 1] ?? '') ? [] : [word]
  })
  return { words: [...words, ...Object.entries(environment).flatMap(([name, value]) => variable(name, value))], env }
}

/** The words of one argument: two for a short flag, one with `=` for a long one. */
function argumentWords(
  { flag, template, isSwitch }: ArgumentTemplate,
  answers: Answers,
  findings: Findings,
): readonly string[] {
  if (template === undefined) return flag === undefined ? [] : [flag]
  const times = Array.from({ length: timesOf(template, answers) }, (_, index) => index)
  return times.flatMap((index) => {
    const text = filledText({ name: flag ?? 'argument', template }, answers, findings, index)
    if (text === undefined) return []
    if (flag === undefined) return [text]
    if (isSwitch && text === 'true') return [flag]
    if (isSwitch && text === 'false') return []
    if (text === '') return [flag]
    return flag.startsWith('--') ? [`${flag}=${text}`] : [flag, text]
  })
}

function filledAll(
  templates: readonly NamedTemplate[],
  answers: Answers,
  findings: Findings,
): Readonly<Record<string, string>> {
  const filled = templates.flatMap((template) => {
    const text = filledText(template, answers, findings)
    return text === undefined ? [] : [[template.name, text] as const]
  })
  return Object.fromEntries(filled)
}

function filledText(
  { name, template }: NamedTemplate,
  answers: Answers,
  { missing, refused }: Findings,
  index = 0,
): string | undefined {
  const filled = fillTemplate(template, answers, index)
  if (filled.kind === 'text') return filled.text
  if (filled.kind === 'missing') for (const question of filled.questions) missing.set(question.name, question)
  if (filled.kind === 'refused') refused.push(`${name}: ${filled.why}`)
  return undefined
}
