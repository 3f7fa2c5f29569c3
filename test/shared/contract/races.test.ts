/** Races: two commands on one thing at once, with the pairs of answers that may come, and what each pair leaves. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { type Answer, api, approve, contact, fund, join, organization, payerAndPayee } from '../../support/api.ts'
import { paymentBody, person } from '../../support/api.ts'
import { decide, staffedPayer } from '../../support/approvals/approvals.ts'
import { cancel as cancelBatch, payees, submitted } from '../../support/batches/batches.ts'
import { billingContact } from '../../support/billing-contacts.ts'
import { cancel as putAway, change, requestPayment, typedBill } from '../../support/bills/bills.ts'
import { owner } from '../../support/database.ts'
import {
  accept,
  asksForApproval,
  decline,
  invite,
  invited,
  remove,
  statusOf,
  tokensTo,
} from '../../support/invitations/invitations.ts'
import { invoiceOf, readInvoice, step } from '../../support/invoices/invoices.ts'
import { fullScale } from '../../support/model-runs.ts'
import { remove as removeMember, rolesOf, staffed } from '../../support/organizations/members.ts'
import { earnStepUp } from '../../support/runs/runs.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()

type Command = () => Promise<Answer>
type Race = readonly [
  title: string,
  scene: () => Promise<{ commands: readonly [Command, Command]; left: () => Promise<unknown> }>,
  ends: readonly (readonly [one: string, other: string, left: unknown])[],
]
const boss = await person({ authenticator: true })

/** A bill of 2.00 in an organization with another admin, and the payments that it has. */
async function billed() {
  const [{ id }, second] = [await organization(boss, 'Payer'), await person()]
  await join(id, second, 'admin')
  await fund(id, '100.00', 'EUR')
  const bill = await typedBill(boss, id, { amount: '2.00', bill_number: '1' })
  const left = async () => {
    const rows = await owner`select landing_amount from payments where bill_id = ${bill.id}`
    return rows.map((row) => row['landing_amount'])
  }
  return { second, id: bill.id as string, left }
}

async function invoiced() {
  const { id } = await organization(boss, 'Seller')
  const invoice = await invoiceOf(boss, id, (await billingContact(boss, id)).id)
  const left = async () => {
    const { state, number } = await readInvoice(boss, invoice.id).then((body) => (body.error ? {} : body))
    return [state, number !== null && number !== undefined]
  }
  const does = (name: string) => () => step(boss, invoice.id, name)
  return { id: invoice.id as string, does, left }
}

async function invitation() {
  const at = await invited()
  const left = async () => [await statusOf(at.invitation.id), ...(await rolesOf(at.id, [at.guest]))]
  return { ...at, left }
}

async function batch() {
  const { boss: by, id, staff } = await staffedPayer('admin')
  const made = await submitted(
    by,
    id,
    (await payees(2)).map((svc) => ({ svc, amount: '1.00' })),
  )
  for (const one of [by, staff[0]]) await earnStepUp(one, made)
  const left = async () => {
    const [row] = await owner`
      select a.status, (select count(*)::int from approval_decisions d where d.approval_id = a.id) as decisions
      from approvals a where a.id = ${made.approval_request_id}`
    return [row?.['status'], row?.['decisions']]
  }
  return { by, other: staff[0], made, left }
}

const RACES: readonly Race[] = [
  [
    'two people ask for the payment of a bill',
    async () => {
      const { id, second, left } = await billed()
      return { commands: [() => requestPayment(boss, id), () => requestPayment(second, id)], left }
    },
    [
      ['done', 'bill_payment_in_progress', ['2.00']],
      ['bill_payment_in_progress', 'done', ['2.00']],
    ],
  ],
  [
    'the payment of a bill is asked for, and its amount is changed',
    async () => {
      const { id, second, left } = await billed()
      return { commands: [() => requestPayment(boss, id), () => change(second, id, { amount: '2.50' })], left }
    },
    [
      ['done', 'done', ['2.50']],
      ['done', 'invalid_state', ['2.00']],
    ],
  ],
  [
    'the payment of a bill is asked for, and the bill is put away',
    async () => {
      const { id, second, left } = await billed()
      return { commands: [() => requestPayment(boss, id), () => putAway(second, id)], left }
    },
    [
      ['done', 'invalid_state', ['2.00']],
      ['invalid_state', 'done', []],
    ],
  ],
  [
    'an invitation is accepted and declined',
    async () => {
      const { guest, token, left } = await invitation()
      return { commands: [() => accept(guest, token), () => decline(guest, token)], left }
    },
    [
      ['done', 'token_invalid', ['accepted', 'member']],
      ['token_invalid', 'done', ['declined', undefined]],
    ],
  ],
  [
    'an invitation is accepted and taken back',
    async () => {
      const at = await invitation()
      const commands = [() => accept(at.guest, at.token), () => remove(at.boss, at.id, at.invitation.id)] as const
      return { commands, left: at.left }
    },
    [
      ['done', 'invalid_state', ['accepted', 'member']],
      ['token_invalid', 'done', ['deleted', undefined]],
    ],
  ],
  [
    'an invitation is approved and taken back',
    async () => {
      const [{ boss: by, id }, guest] = [await staffed(), await person()]
      await asksForApproval(by, id)
      const [made] = (await invite(by, id, [{ email: guest.email }])).body
      await earnStepUp(by, made)
      const left = async () => {
        const [row] = await owner`select status from approvals where id = ${made.approval_request_id}`
        return [await statusOf(made.id), row?.['status'], (await tokensTo(guest.email)).length]
      }
      return { commands: [() => approve(by, made), () => remove(by, id, made.id)], left }
    },
    [
      ['done', 'done', ['deleted', 'approved', 1]], // it was open then
      ['approval_already_processed', 'done', ['deleted', 'cancelled', 0]],
    ],
  ],
  [
    'an invitation is accepted, and the admin who invited is removed',
    async () => {
      const [{ id, boss: by, staff }, guest] = [await staffed('admin'), await person()]
      await invite(staff[0], id, [{ email: guest.email, role: 'admin' }])
      const [token = ''] = await tokensTo(guest.email)
      const commands = [() => accept(guest, token), () => removeMember(by, id, staff[0].userId)] as const
      return { commands, left: () => rolesOf(id, [staff[0], guest]) }
    },
    [
      ['done', 'done', [undefined, 'admin']],
      ['token_invalid', 'done', [undefined, undefined]],
    ],
  ],
  [
    'an invoice is submitted twice',
    async () => {
      const { does, left } = await invoiced()
      return { commands: [does('submit'), does('submit')], left }
    },
    [
      ['done', 'invalid_state', ['sent', true]],
      ['invalid_state', 'done', ['sent', true]],
    ],
  ],
  [
    'an invoice is submitted and deleted',
    async () => {
      const { id, does, left } = await invoiced()
      return { commands: [does('submit'), () => api('DELETE', `/invoices/${id}`, { token: boss.token })], left }
    },
    [
      ['done', 'invalid_state', ['sent', true]],
      ['not_found', 'done', [undefined, false]],
    ],
  ],
  [
    'an invoice is finalized and marked as paid',
    async () => {
      const { does, left } = await invoiced()
      await does('submit')()
      return { commands: [does('finalize'), does('mark-paid')], left }
    },
    [
      ['done', 'done', ['paid', true]],
      ['invalid_state', 'done', ['paid', true]],
    ],
  ],
  [
    'a contact is paid and deleted',
    async () => {
      const { boss: by, payer, payee } = await payerAndPayee('100.00')
      const id = await contact(by, payer.id, payee.svcId)
      const left = async () => {
        const rows = await owner`select status from payments where payment_contact_id = ${id}`
        return rows.map(({ status }) => status)
      }
      const pay = () => api('POST', '/payments', { token: by.token, key: randomUUID(), body: paymentBody(id) })
      return { commands: [pay, () => api('DELETE', `/payment-contacts/${id}`, { token: by.token })], left }
    },
    [
      ['done', 'done', ['cancelled']],
      ['not_found', 'done', []],
    ],
  ],
  [
    'a batch is approved by two people',
    async () => {
      const { by, other, made, left } = await batch()
      return { commands: [() => decide(by, made, 'approve'), () => decide(other, made, 'approve')], left }
    },
    [
      ['done', 'approval_already_processed', ['approved', 1]],
      ['approval_already_processed', 'done', ['approved', 1]],
    ],
  ],
  [
    'a batch is approved and cancelled',
    async () => {
      const { by, other, made, left } = await batch()
      return { commands: [() => decide(other, made, 'approve'), () => cancelBatch(by, made.id)], left }
    },
    [
      ['done', 'done', ['approved', 1]], // what was not paid yet is left out
      ['done', 'invalid_state', ['approved', 1]], // all was paid
      ['approval_already_processed', 'done', ['cancelled', 1]],
    ],
  ],
]

const told = ({ status, body }: Answer): string => (status < 300 ? 'done' : body.error.type)

test.each(RACES)('at once: %s', async (_, scene, ends) => {
  for (let round = 0; round < (fullScale ? 15 : 2); round += 1) {
    const { commands, left } = await scene()
    const begun = commands.map(() => undefined as unknown as Promise<Answer>)
    for (const turn of round % 2 ? [1, 0] : [0, 1]) begun[turn] = commands[turn]!()
    const answers = await Promise.all(begun)
    expect(ends).toContainEqual([...answers.map(told), await left()])
  }
})
