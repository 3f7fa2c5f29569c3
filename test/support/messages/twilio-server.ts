/** Twilio for tests: a server with the Messages API, as its documentation has it, and with bad days. */
import { randomBytes } from 'node:crypto'
import { type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll } from 'vitest'

export type TwilioMessage = { sid: string; to: string; from: string; body: string; status: string }
/** Fault of the next order: its answer is lost, before or after it was taken; a status; or a delivery that fails. */
export type TwilioFault = 'lost_before' | 'lost_after' | 'failed' | 429 | 500 | 401

const UNKNOWN_NUMBER = /000404$/

/** Starts the server; ends with the file. */
export async function startTwilio(accountSid: string, token: string) {
  const sent: TwilioMessage[] = []
  const faults: TwilioFault[] = []
  const counts = { orders: 0, looks: 0 }
  const login = `Basic ${Buffer.from(`${accountSid}:${token}`).toString('base64')}`
  const answer = (response: ServerResponse, status: number, body: object) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const url = new URL(request.url ?? '', 'http://twilio')
      if (
        request.headers.authorization !== login ||
        url.pathname !== `/2010-04-01/Accounts/${accountSid}/Messages.json`
      )
        return answer(response, 401, { code: 20003, message: 'Authenticate', status: 401 })
      if (request.method === 'GET') {
        counts.looks += 1
        const messages = sent.filter(({ to }) => to === url.searchParams.get('To')).toReversed()
        return answer(response, 200, { messages, page: 0, page_size: Number(url.searchParams.get('PageSize')) })
      }
      counts.orders += 1
      const form = new URLSearchParams(Buffer.concat(chunks).toString())
      const isForm = request.headers['content-type'] === 'application/x-www-form-urlencoded'
      const [to, from, body] = [form.get('To'), form.get('From'), form.get('Body')]
      if (!isForm || !to || !from || !body)
        return answer(response, 400, { code: 21604, message: 'required', status: 400 })
      const fault = faults.shift()
      if (fault === 'lost_before') return response.socket?.destroy()
      if (typeof fault === 'number') return answer(response, fault, { code: 20429, message: 'later', status: fault })
      if (UNKNOWN_NUMBER.test(to)) return answer(response, 400, { code: 21211, message: `${to} is none`, status: 400 })
      const message = { sid: `SM${randomBytes(16).toString('hex')}`, to, from, body, status: 'queued' }
      sent.push(fault === 'failed' ? { ...message, status: 'undelivered' } : message)
      return fault ? response.socket?.destroy() : answer(response, 201, message)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => {
    server.close()
    server.closeAllConnections()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sent, faults, counts }
}
