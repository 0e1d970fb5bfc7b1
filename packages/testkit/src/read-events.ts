/** One server-sent event. */
export interface ServerEvent {
  /** `message` unless the event names another one. */
  readonly name: string
  readonly data: string
  readonly id: string | undefined
  readonly retry: string | undefined
}

/** Reads server-sent events strictly in the form that the gateway writes: LF lines, one blank line between. */
export async function* readEvents(response: Response): AsyncGenerator<ServerEvent> {
  if (response.body === null) return
  let text = ''
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    text += chunk
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      const lines = text.slice(0, end).split('\n')
      text = text.slice(end + 2)
      const field = (name: string): string | undefined =>
        lines.find((line) => line.startsWith(`${name}:`))?.slice(name.length + 2)
      const data = lines.filter((line) => line.startsWith('data:')).map((line) => line.slice(6))
      if (data.length === 0) continue
      yield { name: field('event') ?? 'message', data: data.join('\n'), id: field('id'), retry: field('retry') }
    }
  }
}
