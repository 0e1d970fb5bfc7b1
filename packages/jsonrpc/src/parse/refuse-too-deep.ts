import { readDialect, readId, valueOf } from './envelope.ts'
import type { FrameBounds } from './frame-bounds.ts'
import { memberTexts } from '../json/json-scan.ts'
import type { Dialect } from '../message/message.ts'
import { refuseFrame } from './refuse.ts'
import type { RequestId } from '../message/request-id.ts'
import type { Unreadable } from '../message/unreadable.ts'

/**
 * Refuses a frame that is too deep to be parsed. Its id is searched without parsing, so that the sender of a deep
 * request, or the own request of a deep response, does not wait forever.
 */
export function refuseTooDeep(text: string, bounds: FrameBounds): Unreadable {
  const message = `Expected at most ${bounds.depth} levels of objects and arrays, got more`
  try {
    const texts = memberTexts(text)
    const dialect = readDialect(valueOf(texts.get('jsonrpc')))
    const refused = refuseFrame('too_large', message, dialect)
    if (texts.has('method')) {
      const notification = texts.has('id') ? undefined : shortMethod(texts)
      return { ...refused, id: shortId(texts, dialect, bounds), silent: notification !== undefined, notification }
    }
    if (dialect === '3.0' && texts.has('stream')) return { ...refused, answers: innerId(texts, 'stream', bounds) }
    if (dialect === '3.0' && texts.has('ack')) {
      const answers = texts.has('id') ? shortId(texts, dialect, bounds) : innerId(texts, 'ack', bounds)
      return { ...refused, answers, silent: true }
    }
    const id = shortId(texts, dialect, bounds)
    const isAnswer = texts.has('result') || texts.has('error')
    return { ...refused, answers: id, ...(!isAnswer && { id }) }
  } catch {
    return refuseFrame('too_large', message)
  }
}

type Texts = ReadonlyMap<string, string>

function innerId(texts: Texts, name: string, bounds: FrameBounds): RequestId | undefined {
  return shortId(memberTexts(texts.get(name) ?? ''), '3.0', bounds)
}

function shortId(texts: Texts, dialect: Dialect | undefined, { idLength }: FrameBounds): RequestId | undefined {
  const text = texts.get('id')
  return text === undefined || text.length > idLength ? undefined : readId(valueOf(text), text, dialect)
}

/** Returns the method if it is short; a longer one is treated as unknown. */
function shortMethod(texts: Texts): string | undefined {
  const text = texts.get('method') ?? ''
  const method = text.length > longestMethod ? '' : valueOf(text)
  return typeof method === 'string' ? method : undefined
}

/** The length of the longest method that is read in a frame that is too deep, in characters. */
const longestMethod = 256
