/** `npm run histories`: walks the paths of screenings, of a payment that one fails, and of lists that are read. */
import { writeFileSync } from 'node:fs'
import { vi } from 'vitest'
import { administer } from '../../admin.ts'
import { listsOf } from '../../temporal/schedules.ts'
import { approve, fund, person } from '../support/api.ts'
import { owner } from '../support/database.ts'
import { PRIVATE } from '../support/histories/recorded.ts'
import { recordPaths, runOf, scheduledRun } from '../support/histories/recording.ts'
import { wait } from '../support/identity/identity.ts'
import { usePartners } from '../support/partners/partners.ts'
import { become, outgoing } from '../support/payments/payouts.ts'
import { answersOf, payeeNamed, rename, screeningsOf } from '../support/screening/screenings.ts'
import { euList } from '../support/screening/samples.ts'
import { useWorker } from '../support/worker.ts'

const { list } = await vi.hoisted(async () => {
  process.env['TASK_QUEUE_PREFIX'] = 'recorded-screenings-'
  process.env['PARTNER_POLL_SECONDS'] = '0.05'
  delete process.env['ENCRYPTION_KEYS'] // the development key opens what is recorded
  const { connect } = await import('../support/connections.ts')
  const list = `${process.env['DATA_DIR'] ?? ''}/eu.xml`
  connect({
    bank: { serves: [{ rail: 'fiat' }] },
    custodian: { serves: [{ rail: 'crypto' }] },
    rates: { serves: [{ rates: true }] },
    watch: { serves: [{ screening: true }] },
    files: { driver: 'lists', serves: [{ screening: true }], lists: { eu: list }, closed: true },
  })
  return { list }
})
usePartners()
useWorker({ whole: true })

const misbehave = (times: number) => owner`
  insert into sandbox_faults (partner, fault, times) values ('watch', 'down', ${times})
  on conflict (partner, fault) do update set times = ${times}`
const heal = () => owner`delete from sandbox_faults where partner = 'watch'`

/** Finds the screening of a payee that is in a status. */
async function screeningIn(status: string, contact: string): Promise<string> {
  const found = (await screeningsOf(contact)).find((one) => one.status === status)
  if (!found) throw new Error(`no screening is ${status}`)
  return found.id
}

/** Confirms a match as one more operator. */
async function confirm(id: string): Promise<void> {
  const who = await person({ authenticator: true })
  await wait(60) // a code counts once
  await administer(['screening', 'confirm', who.email, await who.totp(), id, PRIVATE.reason])
}

recordPaths({
  async 'screening-passed'() {
    const { contact } = await payeeNamed(PRIVATE.payee)
    await answersOf(contact)
    return runOf('screening', await screeningIn('clear', contact))
  },
  /** Path: nobody answers at first, and then the name may be a listed one. */
  async 'screening-asked-again-then-held'() {
    await misbehave(6)
    const { contact } = await payeeNamed(`Listed ${PRIVATE.payee}`)
    await answersOf(contact)
    await heal()
    return runOf('screening', await screeningIn('possible', contact))
  },
  /** Path: the payee of an approved payment is a listed one, as two operators say. */
  async 'payment-failed-for-a-listed-payee'() {
    const at = await payeeNamed(PRIVATE.payee)
    await answersOf(at.contact)
    await fund(at.payer.id, '900.00', 'EUR')
    const payer = { ...at, rail: 'fiat' as const }
    const payment = await outgoing(payer)
    await misbehave(100_000)
    await rename(at.boss, at.contact, `Listed ${PRIVATE.payee}`)
    await approve(at.boss, payment)
    await heal()
    await answersOf(at.contact)
    const id = await screeningIn('possible', at.contact)
    await confirm(id)
    await confirm(id)
    await become(payer, payment, 'failed')
    return runOf('payment', payment.id)
  },
  async 'screening-lists-read'() {
    writeFileSync(list, euList())
    return scheduledRun(listsOf('files'))
  },
})
