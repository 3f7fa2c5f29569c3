/** Hostile mails, senders that guess, and senders that are slow. */
import { setInterval } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openMailServer } from '../../../api/inbound-mails/smtp.ts'
import { newSender, sendMail } from '../../support/inbound-mails.ts'
import { speak, storm, targets } from '../../support/mail-storm.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { useWorker } from '../../support/worker.ts'

usePartners()
useWorker()

test('hundreds of hostile mails are taken, each ends in a state, and the mail of another organization is read meanwhile', async () => {
  const { states, calmAmong } = await storm(2026, 300, 300_000)
  expect(states).toMatchObject({ mail_without_bill: expect.any(Number), unknown_sender: expect.any(Number) })
  expect(calmAmong).toBeGreaterThanOrEqual(0)
}, 400_000)

test('of 10,000 recipients ten are taken, then the sender is cut off, as is one that guesses', async () => {
  const [target] = await targets(1)
  const hello = 'EHLO me.example\r\nMAIL FROM:<a@b.example>\r\n'
  const known = await speak(
    (socket) => {
      socket.write(hello + `RCPT TO:<${target?.address}>\r\n`.repeat(10_000))
    },
    (codes) => codes.includes('421'),
  )
  const counts = (codes: readonly string[], code: string) => codes.filter((one) => one === code).length
  expect([counts(known, '250'), counts(known, '452'), known.at(-1)]).toEqual([12, 90, '421'])
  const guessed = await speak(
    (socket) =>
      socket.write(hello + Array.from({ length: 10_000 }, (_, n) => `RCPT TO:<bills+${n}@bills.test>\r\n`).join('')),
    (codes) => codes.includes('421'),
  )
  expect([counts(guessed, '550'), guessed.at(-1)]).toEqual([5, '421'])
})

test('slow senders are cut off, and keep nobody else from sending', async () => {
  const [target] = await targets(1)
  const server = await openMailServer(0, { idleMs: 500, connectionMs: 3000 })
  const begin = `EHLO me.example\r\nMAIL FROM:<a@b.example>\r\nRCPT TO:<${target?.address}>\r\nDATA\r\n`
  const dribble = (socket: Parameters<Parameters<typeof speak>[0]>[0]) => {
    socket.write(begin)
    void (async () => {
      for await (const _ of setInterval(100))
        if (!socket.destroyed) socket.write('x')
        else return
    })()
  }
  const slow = Array.from({ length: 8 }, (_, n) =>
    speak(n % 2 ? (socket) => socket.write(begin) : dribble, () => false, server.port),
  )
  await sendMail({ from: newSender(), to: target?.address ?? '', subject: 'meanwhile', text: 'x' }, server.port)
  for (const codes of await Promise.all(slow)) expect(codes.filter((code) => code === '250')).toHaveLength(3)
  await server.stop()
})

test('a mail of more than 25 MB is refused, and one of 24 MB is taken', async () => {
  const [target] = await targets(1)
  const send = (mib: number) =>
    sendMail({
      envelope: { from: newSender(), to: target?.address ?? '' },
      raw: Buffer.concat([Buffer.from('Subject: large\r\n\r\n'), Buffer.alloc(mib * 1024 * 1024, 'x\r\n')]),
    })
  await expect(send(26)).rejects.toThrow('552')
  await send(24)
})
