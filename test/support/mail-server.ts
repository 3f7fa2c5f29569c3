/** A real mail server for the tests of one file, which stores mails and can misbehave. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

/** A status before the mail is read, or no answer after it. */
type Misbehaviour = number | 'silence'

export type MailServer = {
  /** host:port. */
  address: string
  /** The fully read mails to a recipient, in order, answered or not. */
  handed: (recipient: string) => Email[]
  /** The same mails as they came, with all headers and parts. */
  sources: (recipient: string) => string[]
  /** Queues misbehaviours towards a recipient's next mails; afterwards it takes them. */
  misbehave: (recipient: string, ...turns: Misbehaviour[]) => void
}

/** Listens without TLS and sign-in, like a relay on the same machine. */
export async function startMailServer(): Promise<MailServer> {
  const handed = new Map<string, Email[]>()
  const sources = new Map<string, string[]>()
  const turns = new Map<string, Misbehaviour[]>()
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onRcptTo({ address }, _, done) {
      const [turn] = turns.get(address) ?? []
      if (typeof turn !== 'number') return done()
      turns.get(address)?.shift()
      done(Object.assign(new Error(`<${address}> is not wanted here`), { responseCode: turn }))
    },
    onData(stream, { envelope }, done) {
      const read = async () => {
        const source = await buffer(stream)
        const mail = await PostalMime.parse(source)
        const recipients = envelope.rcptTo.map(({ address }) => address)
        for (const address of recipients) {
          handed.set(address, [...(handed.get(address) ?? []), mail])
          sources.set(address, [...(sources.get(address) ?? []), source.toString('latin1')])
        }
        return recipients.some((address) => turns.get(address)?.shift() === 'silence')
      }
      read().then((silent) => !silent && done(), done)
    },
  })
  server.on('error', () => {}) // a killed client
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  server.server.unref()
  return {
    address: `127.0.0.1:${(server.server.address() as AddressInfo).port}`, // listens on TCP
    handed: (recipient) => handed.get(recipient) ?? [],
    sources: (recipient) => sources.get(recipient) ?? [],
    misbehave: (recipient, ...wanted) => turns.set(recipient, wanted),
  }
}
