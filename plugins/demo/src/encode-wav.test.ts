import { expect, it } from 'vitest'
import { encodeWav } from './encode-wav.ts'

it('is a WAV with the number of samples for its duration', () => {
  const wav = Buffer.from(encodeWav([440], 250))
  expect(wav).toHaveLength(44 + 2000)
  expect(wav.toString('latin1', 0, 4)).toBe('RIFF')
  expect(wav.readUInt32LE(4)).toBe(wav.length - 8)
  expect(wav.toString('latin1', 8, 16)).toBe('WAVEfmt ')
  expect(wav.readUInt32LE(24)).toBe(8000)
  expect(wav.readUInt32LE(40)).toBe(2000)
})

it('crosses the middle as often as its frequency requires', () => {
  const samples = encodeWav([100], 1000).subarray(44)
  const rises = samples.filter((sample, index) => sample >= 128 && (samples[index - 1] ?? 255) < 128)
  expect(rises.length).toBeGreaterThanOrEqual(99)
  expect(rises.length).toBeLessThanOrEqual(101)
  expect(Math.max(...samples)).toBeLessThanOrEqual(228)
})
