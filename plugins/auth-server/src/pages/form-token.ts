import { createHmac, timingSafeEqual } from 'node:crypto'

/** Tokens that prove that this server has made a form, for one step of one login. */
export interface FormTokens {
  make(interaction: string, step: string): string
  isGood(interaction: string, step: string, token: string): boolean
}

/** Creates the tokens with a key that all nodes share. */
export function createFormTokens(key: string): FormTokens {
  const make = (interaction: string, step: string): string =>
    createHmac('sha256', key)
      .update(JSON.stringify(['form', interaction, step]))
      .digest('base64url')
  return {
    make,
    isGood(interaction, step, token) {
      const [expected, given] = [make(interaction, step), token].map((text) => Buffer.from(text)) as [Buffer, Buffer]
      return expected.length === given.length && timingSafeEqual(expected, given)
    },
  }
}
