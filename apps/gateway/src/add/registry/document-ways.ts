import { packageRuntime } from './package-runtime.ts'
import type {
  DocumentArgument,
  DocumentPackage,
  DocumentRemote,
  NamedInput,
  ServerDocument,
} from './server-document.ts'
import { piecesOf, type Question, type Template, templateOf } from './template.ts'

/** A header or an environment variable. */
export interface NamedTemplate {
  readonly name: string
  readonly template: Template
}

/** An argument, or several if it is repeated. */
export interface ArgumentTemplate {
  /** Of a named argument, with its dashes. */
  readonly flag: string | undefined
  /** Absent: the flag alone. */
  readonly template: Template | undefined
  /** Whether the flag stands alone when the value is `true`, and is left out when it is `false`. */
  readonly isSwitch: boolean
}

/** A server that is reached by its URL. */
export interface RemoteWay {
  readonly kind: 'remote'
  readonly label: string
  readonly transport: 'streamable-http' | 'sse'
  readonly url: Template
  readonly headers: readonly NamedTemplate[]
}

/** A program that is started. */
export interface PackageWay {
  readonly kind: 'package'
  readonly label: string
  readonly described: DocumentPackage
  readonly program: string
  readonly before: readonly string[]
  readonly runtimeArguments: readonly ArgumentTemplate[]
  readonly spec: readonly string[]
  readonly packageArguments: readonly ArgumentTemplate[]
  readonly environment: readonly NamedTemplate[]
}

/** One way to use a server, in the order of its document: remotes, then packages. */
export type Way = RemoteWay | PackageWay | { readonly kind: 'unusable'; readonly label: string; readonly why: string }

/** All ways to use the server of a document. */
export function documentWays({ remotes = [], packages = [] }: ServerDocument): readonly Way[] {
  return [...remotes.map(remoteWay), ...packages.map(packageWay)]
}

/** What the user can be asked for, each name once. A question that is a secret in one place is one everywhere. */
export function questionsOf(way: RemoteWay | PackageWay): readonly Question[] {
  const questions = new Map<string, Question>()
  for (const { pieces, required } of templatesOf(way)) {
    for (const piece of pieces) {
      if (typeof piece === 'string') continue
      const before = questions.get(piece.name)
      const isRequired = piece.required || required || before?.required === true
      questions.set(piece.name, { ...piece, required: isRequired, secret: piece.secret || before?.secret === true })
    }
  }
  return [...questions.values()]
}

function templatesOf(way: RemoteWay | PackageWay): readonly Template[] {
  if (way.kind === 'remote') return [way.url, ...way.headers.map(({ template }) => template)]
  const { runtimeArguments, packageArguments, environment } = way
  const all = [...runtimeArguments, ...packageArguments, ...environment]
  return all.flatMap(({ template }) => template ?? [])
}

function remoteWay({ type, url, headers = [], variables = {} }: DocumentRemote): Way {
  const label = `remote ${type} ${url}`
  if (type !== 'streamable-http' && type !== 'sse') {
    return { kind: 'unusable', label, why: `expected streamable-http or sse, got ${JSON.stringify(type)}` }
  }
  const odd = headers.find(({ name }) => !/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name))
  if (odd !== undefined)
    return { kind: 'unusable', label, why: `${JSON.stringify(odd.name)} is not a name of a header` }
  return {
    kind: 'remote',
    label,
    transport: type,
    url: { pieces: piecesOf(url, variables), required: true },
    headers: headers.map(namedTemplate),
  }
}

function packageWay(described: DocumentPackage): Way {
  const { registryType, identifier, version, environmentVariables = [] } = described
  const label = `package ${registryType} ${identifier}${version === undefined ? '' : ` ${version}`}`
  const runtime = packageRuntime(described)
  if (runtime.kind === 'unusable') return { kind: 'unusable', label, why: runtime.why }
  const odd = environmentVariables.find(({ name }) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
  if (odd !== undefined)
    return { kind: 'unusable', label, why: `${JSON.stringify(odd.name)} is not a name of a variable` }
  const { program, before, spec } = runtime
  const names = new Set<string>()
  const templates = (args: readonly DocumentArgument[] = []): readonly ArgumentTemplate[] =>
    args.map((argument) => argumentTemplate(argument, names))
  return {
    kind: 'package',
    label,
    described,
    program,
    before,
    runtimeArguments: templates(described.runtimeArguments),
    spec,
    packageArguments: templates(described.packageArguments),
    environment: environmentVariables.map(namedTemplate),
  }
}

function namedTemplate(input: NamedInput): NamedTemplate {
  return { name: input.name, template: templateOf(input.name, input) }
}

/** @param names those of the arguments before it: two arguments do not share an answer */
function argumentTemplate(argument: DocumentArgument, names: Set<string>): ArgumentTemplate {
  const flag = argument.type === 'named' ? (argument.name ?? '') : undefined
  if (flag !== undefined && isFlagAlone(argument)) return { flag, template: undefined, isSwitch: false }
  const called = flag?.replace(/^-+/, '') ?? argument.valueHint ?? 'argument'
  let name = called
  for (let count = 2; names.has(name); count += 1) name = `${called}-${count}`
  if (argument.value === undefined) names.add(name)
  return {
    flag,
    template: templateOf(name, argument, argument.isRepeated === true),
    isSwitch: argument.format === 'boolean',
  }
}

/** Publishers write `--rm` as a named argument without any details of its value. */
function isFlagAlone({
  value,
  default: otherwise,
  placeholder,
  choices,
  variables,
  valueHint,
  ...rest
}: DocumentArgument): boolean {
  const details = [value, otherwise, placeholder, choices, variables, valueHint, rest.format]
  return details.every((part) => part === undefined) && rest.isSecret !== true && rest.isRequired !== true
}
