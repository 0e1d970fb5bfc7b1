/** Samples per second: those of a telephone line. */
const rate = 8000

/** A WAV file (mono, eight bits) of sine tones that sound together. Frequencies are in hertz. */
export function encodeWav(frequencies: readonly number[], milliseconds: number): Uint8Array {
  const samples = Math.round((rate * milliseconds) / 1000)
  const file = Buffer.alloc(44 + samples)
  file.write('RIFF', 0, 'latin1')
  file.writeUInt32LE(36 + samples, 4)
  file.write('WAVEfmt ', 8, 'latin1')
  file.writeUInt32LE(16, 16)
  // The format fields: PCM, one channel, samples and bytes per second, bytes and bits per sample.
  file.writeUInt16LE(1, 20)
  file.writeUInt16LE(1, 22)
  file.writeUInt32LE(rate, 24)
  file.writeUInt32LE(rate, 28)
  file.writeUInt16LE(1, 32)
  file.writeUInt16LE(8, 34)
  file.write('data', 36, 'latin1')
  file.writeUInt32LE(samples, 40)
  for (let index = 0; index < samples; index += 1) {
    const level = frequencies.reduce((sum, hertz) => sum + Math.sin((2 * Math.PI * hertz * index) / rate), 0)
    file[44 + index] = 128 + Math.round((100 * level) / frequencies.length)
  }
  return file
}
