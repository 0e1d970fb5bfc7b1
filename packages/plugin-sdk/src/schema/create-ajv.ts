import { _, type KeywordCxt } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { canonicalText } from '@junctor/jsonrpc'
import type { CheckBudget } from './check-budget.ts'
import type { LinearPatterns } from './linear-pattern.ts'

/**
 * A validator of JSON Schema (2020-12) for schemas and values that may both be hostile: patterns are matched in linear
 * time, items are compared in linear time, and references count against a budget.
 *
 * Formats are annotations, as the dialect specifies. The schema itself is not checked against its meta-schema, which
 * would take twenty times as long as the compilation: `assertWellBehaved` does that in the author's tests.
 */
export function createAjv(patterns: LinearPatterns, budget: CheckBudget): Ajv2020 {
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    verbose: true,
    validateFormats: false,
    validateSchema: false,
    meta: false,
    // Every object inherits a `constructor`.
    ownProperties: true,
    // What is referenced a thousand times is compiled once.
    inlineRefs: false,
    code: { regExp: Object.assign((pattern: string) => patterns.compile(pattern), { code: 'linear' }) },
  })
  replaceKeyword(ajv, 'uniqueItems', () => uniqueItems)
  for (const keyword of ['$ref', '$dynamicRef']) {
    replaceKeyword(ajv, keyword, (original) => (context) => {
      const step = context.gen.scopeValue('func', { ref: () => budget.step(), key: 'step' })
      context.gen.code(_`${step}()`)
      original(context)
    })
  }
  return ajv
}

type KeywordCode = (context: KeywordCxt, ruleType?: string) => void

/** Gives a keyword another code at the place among the others that it has: those after it depend on it. */
function replaceKeyword(ajv: Ajv2020, keyword: string, replaced: (original: KeywordCode) => KeywordCode): void {
  const rule = ajv.RULES.all[keyword]
  if (typeof rule !== 'object' || !('code' in rule.definition)) throw new Error(`ajv has no keyword ${keyword}`)
  const { definition } = rule
  rule.definition = { ...definition, code: replaced(definition.code) }
}

function uniqueItems(context: KeywordCxt): void {
  const { gen, data, schema } = context
  if (schema !== true) return
  const find = gen.scopeValue('func', { ref: duplicateItems })
  const found = gen.const('found', _`${find}(${data})`)
  context.setParams({ i: _`${found}[0]`, j: _`${found}[1]` })
  context.fail(_`${found} !== undefined`)
}

/** The positions of two items that are equal as JSON values, the earlier one second; in linear time. */
function duplicateItems(items: readonly unknown[]): readonly [number, number] | undefined {
  const seen = new Map<string, number>()
  for (const [at, item] of items.entries()) {
    const text = canonicalText(item)
    const earlier = seen.get(text)
    if (earlier !== undefined) return [at, earlier]
    seen.set(text, at)
  }
  return undefined
}
