/** Name server for TXT records (RFC 1035), at the address of the service's configuration. */
import { createSocket } from 'node:dgram'
import { config } from '../../../platform/config.ts'
import { atEndOfService } from '../lifetime.ts'

const texts = new Map<string, string[]>()
let started: Promise<void> | undefined

/** Shows these texts at a name, from now on. */
export async function showTexts(name: string, ...shown: string[]): Promise<void> {
  started ??= start()
  await started
  texts.set(name.toLowerCase(), shown)
}

function start(): Promise<void> {
  const [address = '', port = ''] = (config.dnsServers[0] ?? '').split(':')
  const socket = createSocket('udp4')
  socket.on('message', (asked, { address: to, port: at }) => socket.send(answerTo(asked), at, to))
  atEndOfService(() => new Promise<void>((resolve) => socket.close(() => resolve())))
  return new Promise((resolve) => socket.bind(Number(port), address, resolve))
}

const HEADER = 12
const [NO_ERROR, NO_NAME] = [0, 3]

function answerTo(asked: Buffer): Buffer {
  const labels: string[] = []
  let at = HEADER
  for (let length = asked[at] ?? 0; length > 0; length = asked[at] ?? 0) {
    labels.push(asked.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  const question = asked.subarray(HEADER, at + 5)
  const found = texts.get(labels.join('.').toLowerCase())
  const header = Buffer.alloc(HEADER)
  asked.copy(header, 0, 0, 2)
  header.writeUInt16BE(0x81_80 | (found ? NO_ERROR : NO_NAME), 2) // an answer, by recursion
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(found?.length ?? 0, 6)
  return Buffer.concat([header, question, ...(found ?? []).map(recordOf)])
}

function recordOf(text: string): Buffer {
  const data = Buffer.concat([Buffer.of(text.length), Buffer.from(text)])
  const head = Buffer.from('c00c001000010000003c0000', 'hex') // the name of the question, TXT, IN, a minute
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}
