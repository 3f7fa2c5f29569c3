/** A storm of hostile mails at addresses of some organizations, while another one goes on. */
import { randomUUID } from 'node:crypto'
import { type Socket, connect } from 'node:net'
import { createTransport } from 'nodemailer'
import { expect } from 'vitest'
import { xmlFiles } from '../../dev/sample-bills/xml-files.ts'
import { type TestPerson, api, baseUrl, organization, person } from './api.ts'
import { owner } from './database.ts'
import { hostileMails } from './hostile-mails.ts'
import { domainOf, handIn, mailServer, mailbox, newSender, proved, sendMail, whenMailRead } from './inbound-mails.ts'
import { until } from './until.ts'

/** Mails of which the last one comes by the signed call. */
const BY_CALL_EACH = 10
const CONNECTIONS = 4

type Target = { readonly boss: TestPerson; readonly id: string; readonly address: string }

export async function targets(count: number): Promise<Target[]> {
  const boss = await person({ authenticator: true })
  const made: Target[] = []
  for (let n = 0; n < count; n += 1) {
    const { id } = await organization(boss, `Target ${n}`)
    made.push({ boss, id, address: (await mailbox(boss, id)).address })
  }
  return made
}

/**
 * Sends hostile mails by all entries, and another organization's mail among them. Each mail is taken or refused, none is
 * answered by a fault of ours, and each that was taken ends in a state.
 */
export async function storm(seed: number, count: number, patienceMs: number) {
  const [hit, [calm]] = [await targets(Math.max(4, Math.ceil(count / 250))), await targets(1)]
  if (!calm) throw new Error('there is no calm one')
  const { port } = await mailServer()
  const transport = createTransport({
    host: '127.0.0.1',
    port,
    pool: true,
    maxConnections: CONNECTIONS,
    maxMessages: 90,
    tls: { rejectUnauthorized: false },
  })
  const said = new Map<string, number>()
  const note = (answer: string) => said.set(answer, (said.get(answer) ?? 0) + 1)
  let [n, calmAmong] = [0, -1]
  const send = async (mail: { from: string; raw: Buffer }) => {
    const to = hit[n % hit.length]?.address ?? ''
    n += 1
    if (n % BY_CALL_EACH === 0) return note(`HTTP ${await handIn(to, mail.from, mail.raw)}`)
    const sent = await transport.sendMail({ envelope: { from: mail.from, to }, raw: mail.raw }).then(
      ({ response }) => response,
      (error: { response?: string; message: string }) => error.response ?? error.message,
    )
    note(`SMTP ${sent.slice(0, 3)}`)
  }
  const mails = hostileMails(seed, count)
  const lane = async () => {
    for (const mail of mails) await send(mail)
  }
  await Promise.all([
    ...Array.from({ length: CONNECTIONS }, lane),
    readMeanwhile(calm).then((open) => (calmAmong = open)),
  ])
  transport.close()
  expect(Object.keys(Object.fromEntries(said)).toSorted()).toEqual(['HTTP 204', 'SMTP 250'])
  expect((await fetch(`${baseUrl}/healthz`)).status).toBe(200)
  const ids = hit.map(({ id }) => id)
  const left = () => owner<{ status: string; count: number }[]>`
    select status, count(*)::int as count from inbound_mails where organization_id = any (${ids}) group by 1 order by 1`
  const states = await until(
    'each mail ends in a state',
    async () => {
      const found = await left()
      return found.every(({ status }) => status !== 'received') && found
    },
    patienceMs,
  )
  const taken = [...said.values()].reduce((sum, one) => sum + one, 0)
  expect(states.reduce((sum, one) => sum + one.count, 0)).toBe(taken)
  expect(states.map(({ status }) => status)).not.toContain('accepted')
  return {
    said: Object.fromEntries(said),
    states: Object.fromEntries(states.map((one) => [one.status, one.count])),
    calmAmong,
  }
}

/** Sends a bill to an organization that is not hit, until it is read; answers how many mails of others waited then. */
async function readMeanwhile({ boss, id, address }: Target): Promise<number> {
  const [sender, subject] = [newSender(), `calm ${randomUUID()}`]
  const content = xmlFiles().find(({ name }) => name.includes('ubl-xrechnung'))?.bytes ?? Buffer.alloc(0)
  await sendMail({
    from: sender,
    to: address,
    subject,
    headers: proved(domainOf(sender)),
    attachments: [{ filename: 'a.xml', content }],
  })
  const { files } = await whenMailRead(boss, id, subject)
  const { body } = await api('GET', `/bills/${files[0].bill_id}`, { token: boss.token })
  expect(body.bill.inbound_mail_id).not.toBeNull()
  const [open] = await owner<
    { count: number }[]
  >`select count(*)::int as count from inbound_mails where status = 'received'`
  return open?.count ?? 0
}

/** Speaks SMTP by hand: writes lines, and answers the codes that came until the connection ends or `enough`. */
export async function speak(
  write: (socket: Socket) => void,
  enough: (codes: readonly string[]) => boolean,
  port?: number,
) {
  const codes: string[] = []
  const socket = connect(port ?? (await mailServer()).port, '127.0.0.1')
  let rest = ''
  socket.once('data', () => write(socket))
  await new Promise<void>((resolve) => {
    socket.on('data', (data) => {
      const lines = `${rest}${data.toString('latin1')}`.split('\r\n')
      rest = lines.pop() ?? ''
      for (const line of lines) if (/^\d{3} /.test(line)) codes.push(line.slice(0, 3))
      if (enough(codes)) socket.destroy()
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve())
  })
  return codes
}
