import { expect, test } from 'vitest'
import { ChannelSdkTransport, type OpenSdkChannel } from './channel-sdk-transport.ts'

/**
 * A transport on a channel that is gone as soon as it is closed, with a record of what the transport reported and what
 * it sent.
 */
function watched(opened: Promise<void> = Promise.resolve()) {
  const reported: unknown[] = []
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
    onmessage: (message: unknown) => void reported.push(message),
    onerror: ({ message }: Error) => void reported.push(message),
    onclose: () => void reported.push('closed'),
  })
  return { transport, reported, sent }
}

test('delivers messages, and reports a text that is not a message', async () => {
  const { transport, reported, sent } = watched()
  await expect(transport.send({})).rejects.toMatchObject({ code: 'CLOSED' })
  await transport.start()
  await transport.send({ id: 1 })
  transport.text('{"id":2}')
  transport.text('{"id":')
  await transport.close()
  transport.over(new Error('after the close'))
  expect(sent).toEqual(['{"id":1}', 'done'])
  expect(reported).toEqual([{ id: 2 }, 'Expected JSON in a message, got something else', 'closed'])
  await expect(transport.send({})).rejects.toMatchObject({ code: 'CLOSED' })
  await expect(transport.start()).rejects.toMatchObject({ code: 'BUG' })
})

test('a transport that is closed while its channel opens leaves no channel open, and closes once', async () => {
  const opened = Promise.withResolvers<void>()
  const { transport, reported, sent } = watched(opened.promise)
  const starting = transport.start()
  await transport.close()
  opened.resolve()
  await expect(starting).rejects.toMatchObject({ code: 'CLOSED' })
  expect(sent).toEqual(['done'])
  expect(reported).toEqual(['closed'])
})
