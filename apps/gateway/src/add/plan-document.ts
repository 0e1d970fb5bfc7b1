import type { HttpClient } from '@junctor/http-client'
import type { JsonObject } from '@junctor/jsonrpc'
import type { Questions } from '../report/questions.ts'
import { nameOfServer } from './add-target.ts'
import { askInputs } from './ask-inputs.ts'
import { readInputs } from './read-inputs.ts'
import type { AddOptions } from './add-options.ts'
import type { Planned } from './planned-backend.ts'
import type { Answers } from './registry/answer.ts'
import { whyNoPackage } from './registry/why-no-package.ts'
import { whyNoRemote } from './registry/why-no-remote.ts'
import { chooseWay } from './registry/choose-way.ts'
import { documentWays, type PackageWay, questionsOf, type RemoteWay, type Way } from './registry/document-ways.ts'
import { readServerDocument, type ServerDocument } from './registry/server-document.ts'
import { wayBackend } from './registry/way-backend.ts'
import { documentHash } from './server-pins.ts'
import { failed } from '../report/failed.ts'
import { misused } from '../report/misused.ts'

/** A `server.json`, and where it is from. */
export interface FoundDocument {
  readonly document: JsonObject
  /** The URL of the registry, or the path of the file. */
  readonly source: string
  readonly warning: string | undefined
  /** Whether the user has the document as a file, and so may name private hosts in it. */
  readonly own: boolean
}

/** What a plan depends on beside the document. */
export interface PlanEnvironment {
  readonly http: HttpClient
  /** Hosts that the user named. */
  readonly allowed: readonly string[]
  readonly questions: Questions | undefined
  readonly isHere: (program: string) => boolean
}

/** Makes a backend of a server's document: chooses the way, gets the inputs, checks hash and address. */
export async function planDocument(
  found: FoundDocument,
  options: AddOptions,
  around: PlanEnvironment,
): Promise<Planned> {
  const read = readServerDocument(found.document)
  if (read.kind === 'unreadable') {
    return failed(
      `the document of ${found.source} cannot be used: ${read.why}`,
      found.own ? 'Correct the file.' : 'Name another version with --version, or ask the publisher.',
    )
  }
  const { document } = read
  const ways = documentWays(document)
  const chosen = chooseWay(ways, options.choice, around.isHere)
  if (chosen.kind === 'none') {
    return failed(
      `${document.name} ${document.version} cannot be used: ${chosen.why}`,
      'Choose another version with --version, or add its command or URL.',
    )
  }
  const { way } = chosen
  const questions = questionsOf(way)
  const given = readInputs(options.input, questions)
  if (given.kind === 'refused') return misused(given.whys.join('; '), 'Correct --input.')
  const answers =
    around.questions === undefined ? given.answers : await askInputs(questions, given.answers, around.questions)
  if (answers === undefined) return failed('stopped: nothing was written', 'Run it again.')
  const made = wayBackend(way, answers)
  if (made.kind === 'missing') return { kind: 'missing', server: document.name, questions: made.questions }
  if (made.kind === 'refused') return failed(made.why, 'Correct --input.')
  const why = await whyNot(way, made.backend, found, around)
  if (why !== undefined) return failed(`${document.name} ${document.version} must not be used: ${why}`, wayOut(way))
  return planned({ found, document, way, ways, answers, backend: made.backend }, around)
}

interface Made {
  readonly found: FoundDocument
  readonly document: ServerDocument
  readonly way: RemoteWay | PackageWay
  readonly ways: readonly Way[]
  readonly answers: Answers
  readonly backend: JsonObject
}

function planned({ found, document, way, ways, answers, backend }: Made, { isHere }: PlanEnvironment): Planned {
  const { name, version, title, description } = document
  const isMissing = way.kind === 'package' && !isHere(way.program)
  const warnings = [
    ...(found.warning === undefined ? [] : [found.warning]),
    ...(isMissing ? [`${way.program} is not on the PATH: install it before starting`] : []),
  ]
  const others = ways.flatMap((other, index) => {
    if (other === way) return []
    return [`--choice ${index + 1}: ${other.label}${other.kind === 'unusable' ? ` (not possible: ${other.why})` : ''}`]
  })
  return {
    kind: 'planned',
    plan: {
      name: nameOfServer(name),
      backend,
      about: [`${name} ${version}, from ${found.source}`, ...[title, description].filter((text) => text !== undefined)],
      warnings,
      optional: questionsOf(way).filter((question) => !answers.has(question.name) && question.otherwise === undefined),
      others,
      pin: { name, version, source: found.source, sha256: documentHash(found.document), document: found.document },
    },
  }
}

async function whyNot(
  way: RemoteWay | PackageWay,
  backend: JsonObject,
  { own }: FoundDocument,
  { http, allowed }: PlanEnvironment,
): Promise<string | undefined> {
  if (way.kind === 'package') return whyNoPackage(http, way.described)
  const { url } = backend
  if (own || typeof url !== 'string') return undefined
  const why = await whyNoRemote(url, allowed)
  return why === undefined ? undefined : `${url}: ${why}`
}

function wayOut(way: RemoteWay | PackageWay): string {
  return way.kind === 'remote'
    ? 'If you know this address, add it yourself: junctor add https://…'
    : 'Do not run it, and tell its publisher; or choose another version with --version.'
}
