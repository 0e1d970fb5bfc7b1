import { describe, expect, it } from 'vitest'
import { canonicalText } from './canonical-text.ts'

describe('canonicalText', () => {
  it('is one text for equal values', () => {
    expect(canonicalText({ b: [1, { d: null, c: 'x' }], a: true })).toBe(
      canonicalText({ a: true, b: [1, { c: 'x', d: null }] }),
    )
    expect(canonicalText({ a: undefined })).toBe('{"a":null}')
  })
})
