/** `npm run histories`: walks the paths of mails that bring bills. */
import { vi } from 'vitest'
import { organization, person } from '../support/api.ts'
import { PRIVATE } from '../support/histories/recorded.ts'
import { recordPaths, runOf } from '../support/histories/recording.ts'
import { handIn, mailbox, mailsOf } from '../support/inbound-mails.ts'
import { usePartners } from '../support/partners/partners.ts'
import { until } from '../support/until.ts'
import { useWorker } from '../support/worker.ts'

vi.hoisted(() => {
  process.env['TASK_QUEUE_PREFIX'] = 'recorded-mails-'
  delete process.env['ENCRYPTION_KEYS'] // the development key opens what is recorded
})
usePartners()
useWorker({ whole: true })

const XML = '<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"></Invoice>'

recordPaths({
  async 'inbound-mail-read'() {
    const boss = await person({ name: PRIVATE.firstName, authenticator: true })
    const { id } = await organization(boss, PRIVATE.payer)
    const { address } = await mailbox(boss, id)
    const lines = [
      'From: ann@supplier.example',
      `Subject: ${PRIVATE.statement}`,
      'Content-Type: application/xml',
      '',
      XML,
    ]
    await handIn(address, 'ann@supplier.example', Buffer.from(lines.join('\r\n')))
    const mail = await until('the mail is read', async () => {
      const [one] = await mailsOf(boss, id)
      return one?.status !== 'received' && one
    })
    return runOf('inbound-mail', mail.id)
  },
})
