// The functions of the host, with texts. Copy this file and junctor.ts into a project of your own.
import * as host from './junctor'

/** The arguments of the call, as JSON. */
export function input(): string {
  return take(host.input())
}

/** A value that the operator has given to this module, or null. */
export function value(name: string): string | null {
  const utf8 = String.UTF8.encode(name)
  const length = host.value(changetype<usize>(utf8), utf8.byteLength)
  return length < 0 ? null : take(length)
}

/** Sends a request, as JSON, and waits for its reply. */
export function fetch(request: string): string {
  const utf8 = String.UTF8.encode(request)
  return take(host.fetch(changetype<usize>(utf8), utf8.byteLength))
}

/** Gives the metadata in `describe`, the answer in `call`. */
export function output(json: string): void {
  const utf8 = String.UTF8.encode(json)
  host.output(changetype<usize>(utf8), utf8.byteLength)
}

/** Reports progress. */
export function progress(done: f64, total: f64, message: string): void {
  const utf8 = String.UTF8.encode(message)
  host.progress(done, total, changetype<usize>(utf8), utf8.byteLength)
}

/** Sends a piece of the answer: a text or a block of content, as JSON. */
export function piece(json: string): void {
  const utf8 = String.UTF8.encode(json)
  host.piece(changetype<usize>(utf8), utf8.byteLength)
}

/** Sends a log message to the client. Levels are 0 (debug) to 7 (emergency). */
export function log(level: i32, text: string): void {
  const utf8 = String.UTF8.encode(text)
  host.log(level, changetype<usize>(utf8), utf8.byteLength)
}

function take(length: i32): string {
  const utf8 = new ArrayBuffer(length)
  host.take(changetype<usize>(utf8))
  return String.UTF8.decode(utf8)
}

/** An answer with one text. */
export function textAnswer(text: string): string {
  return '{"content":[{"type":"text","text":' + quote(text) + '}]}'
}

/** An answer that explains a failure to the caller. */
export function errorAnswer(text: string): string {
  return '{"content":[{"type":"text","text":' + quote(text) + '}],"isError":true}'
}

/** A text as JSON. */
export function quote(text: string): string {
  let json = '"'
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code == 0x22 || code == 0x5c) json += '\\' + String.fromCharCode(code)
    else if (code < 0x20) json += '\\u00' + (code < 0x10 ? '0' : '1') + '0123456789abcdef'.charAt(code & 0xf)
    else json += String.fromCharCode(code)
  }
  return json + '"'
}

/** A member of a flat object that has a text, or null. The host has checked the arguments: this only finds it. */
export function textMember(json: string, name: string): string | null {
  const at = json.indexOf(quote(name) + ':"')
  if (at < 0) return null
  let text = ''
  for (let i = at + name.length + 4; i < json.length; i++) {
    const char = json.charAt(i)
    if (char == '"') return text
    if (char != '\\') {
      text += char
      continue
    }
    i++
    const escape = json.charAt(i)
    if (escape == 'u') {
      text += String.fromCharCode(<i32>parseInt(json.substr(i + 1, 4), 16))
      i += 4
    } else if (escape == 'n') text += '\n'
    else if (escape == 't') text += '\t'
    else if (escape == 'r') text += '\r'
    else if (escape == 'b') text += '\b'
    else if (escape == 'f') text += '\f'
    else text += escape
  }
  return null
}
