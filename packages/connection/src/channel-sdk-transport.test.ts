import { expect, test } from 'vitest'
import { ChannelSdkTransport, type OpenSdkChannel } from './channel-sdk-transport.ts'

/** A transport on a channel that is gone as soon as it is closed, and what has become of both. */
function watched(opened: Promise<void> = Promise.resolve()) {
  const told: unknown[] = []
  const sent: string[] = []
  const open: OpenSdkChannel = async (reader) => {
    await opened
    return {
      send: (text) => void sent.push(text),
      close(why) {
        sent.push(why)
        reader.over()
      },
    }
  }
  const transport = Object.assign(new ChannelSdkTransport(open), {
    onmessage: (message: unknown) => void told.push(message),
    onerror: ({ message }: Error) => void told.push(message),
    onclose: () => void told.push('closed'),
  })
  return { transport, told, sent }
}

test('passes messages on, and says what is none', async () => {
  const { transport, told, sent } = watched()
  await expect(transport.send({})).rejects.toMatchObject({ code: 'CLOSED' })
  await transport.start()
  await transport.send({ id: 1 })
  transport.text('{"id":2}')
  transport.text('{"id":')
  await transport.close()
  transport.over(new Error('told before'))
  expect(sent).toEqual(['{"id":1}', 'done'])
  expect(told).toEqual([{ id: 2 }, 'Expected JSON in a message, got something else', 'closed'])
  await expect(transport.send({})).rejects.toMatchObject({ code: 'CLOSED' })
  await expect(transport.start()).rejects.toMatchObject({ code: 'BUG' })
})

test('that is closed while its channel is opened leaves none, and is closed once', async () => {
  const opened = Promise.withResolvers<void>()
  const { transport, told, sent } = watched(opened.promise)
  const starting = transport.start()
  await transport.close()
  opened.resolve()
  await expect(starting).rejects.toMatchObject({ code: 'CLOSED' })
  expect(sent).toEqual(['done'])
  expect(told).toEqual(['closed'])
})
