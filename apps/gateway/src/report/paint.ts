import { styleText } from 'node:util'

/** Returns a text in a colour or weight for the terminal. */
export type Paint = (format: 'bold' | 'dim' | 'gray' | 'green' | 'red' | 'yellow', text: string) => string

/** @param color whether the reader shows colours; otherwise texts stay as they are */
export function createPaint(color: boolean): Paint {
  return (format, text) => (color ? styleText(format, text, { validateStream: false }) : text)
}
