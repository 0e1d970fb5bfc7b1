import { mediaTypes } from '@junctor/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Answers a request that was admitted. */
export type AdminHandler = (request: FastifyRequest, reply: FastifyReply) => void | Promise<void>

/** Replies with JSON in one line. */
export function send(reply: FastifyReply, status: number, body: object): void {
  sendText(reply, status, lineOf(body))
}

/** Replies with a JSON text. */
export function sendText(reply: FastifyReply, status: number, text: string): void {
  void reply.code(status).header('content-type', mediaTypes.json).header('cache-control', 'no-store').send(text)
}

/** Returns JSON with a line end. */
export function lineOf(body: object): string {
  return `${JSON.stringify(body)}\n`
}

/** Replies with a refusal: `error` for programs, `message` for people. */
export function refuse(reply: FastifyReply, status: number, error: string, message: string): void {
  send(reply, status, { error, message })
}
