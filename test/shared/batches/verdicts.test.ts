import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { api, approve, contact, createPayment, fund, organization, person } from '../../support/api.ts'
import { setRules } from '../../support/approvals/approvals.ts'
import { owner } from '../../support/database.ts'
import { BANK, WALLET } from '../../support/contacts/destinations.ts'
import {
  TERMS,
  errorsOf,
  imported,
  newBatch,
  payerAndPayee,
  rowsOf,
  fileOf,
  toHandle,
  toContact,
  toAccount,
} from '../../support/batches/imports.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()

const { boss, payer, payee } = await payerAndPayee()
await fund(payer.id, '100.00')

async function contactAt(destinations: readonly object[], by = boss, organizationId = payer.id): Promise<string> {
  const body = { name: 'Payee', type: 'business', destinations }
  const made = await api('POST', `/organizations/${organizationId}/payment-contacts`, { token: by.token, body })
  expect(made.status).toBe(201)
  return made.body.id as string
}

test('whom a row names decides about it: contacts, service IDs, rails and currencies', async () => {
  const other = await person()
  const strangers = await organization(other, 'Strangers')
  const foreign = await contactAt([BANK], other, strangers.id)
  const waiting = await contactAt([BANK])
  await owner`update payment_contacts set status = 'pending_approval' where id = ${waiting}`
  const gone = await contactAt([BANK])
  await api('DELETE', `/payment-contacts/${gone}`, { token: boss.token })
  const away = await organization(await person(), 'Away')
  const unpayable = await contactAt([{ type: 'svc_id', svc_id: away.svcId }])
  await owner`update organizations set status = 'banned' where id = ${away.id}`
  const lines = [
    [toContact(randomUUID(), 'EUR'), 'payment_contact_id unknown_contact'],
    [toContact(foreign, 'EUR'), 'payment_contact_id unknown_contact'],
    [toContact(gone, 'EUR'), 'payment_contact_id unknown_contact'],
    [toContact(waiting, 'EUR'), 'payment_contact_id contact_not_approved'],
    [toContact(await contactAt([])), 'payment_contact_id destination_missing'],
    [toContact(unpayable), 'payment_contact_id destination_missing'],
    [toContact(await contactAt([WALLET]), 'USDC'), 'payment_contact_id unsupported_rail'],
    [toContact(await contactAt([BANK]), 'USD'), 'currency unsupported_currency'],
    [toContact(await contactAt([BANK]), 'EUR')],
    [toHandle('nobody-has-this'), 'payee_svc_id unknown_handle'],
    [toHandle(away.svcId), 'payee_svc_id unknown_handle'],
    [toHandle(payer.svcId), 'payee_svc_id same_account'],
    [toHandle(payee.svcId)],
    [toAccount('DE02120300000000202051')],
    ['a,b', 'null too_few_cells'],
  ] as const
  const batchId = await newBatch(boss, payer.id)
  await imported(boss, batchId, fileOf(...lines.map(([line]) => line)))
  const rows = await rowsOf(boss, batchId)
  expect(errorsOf(rows)).toEqual(lines.map(([, ...errors]) => errors))
  // a contact of strangers reads like one that does not exist
  expect(rows[1]).toEqual({ ...rows[0], id: rows[1].id, row_number: 2, line: 3, cells: rows[1].cells })
  const kept =
    await owner`select rail, payee_organization_id, payment_contact_id, destination_id, fingerprint is null as unbanked
    from payment_batch_rows where payment_batch_id = ${batchId} and status = 'valid' order by row_number`
  const nobody = { payee_organization_id: null, payment_contact_id: null, destination_id: null, unbanked: true }
  const contact = { payment_contact_id: expect.any(String), destination_id: expect.any(String) }
  expect(kept).toEqual([
    { ...nobody, rail: 'fiat', ...contact },
    { ...nobody, rail: 'svc_id', payee_organization_id: payee.id },
    { ...nobody, rail: 'fiat', unbanked: false },
  ])
})

test('where the policy asks for approved contacts, a row that names none has to pay what one of them is paid at', async () => {
  const [payerBoss, other] = [await person({ authenticator: true }), await organization(await person(), 'Other')]
  const { id } = await organization(payerBoss, 'Careful')
  const handle = { type: 'svc_id', svc_id: payee.svcId }
  const known = [await contactAt([BANK], payerBoss, id), await contactAt([handle], payerBoss, id)] as const
  await setRules(id, payerBoss, [{ action_type: 'payment_contact', steps: [{ required: 1, roles: ['owner'] }] }])
  const file = fileOf(
    toAccount('DE89370400440532013000'),
    toAccount('de02 1203 0000 0000 2020 51'),
    toHandle(other.svcId),
    toHandle(payee.svcId),
    toContact(known[1]),
  )
  const batchId = await newBatch(payerBoss, id)
  await imported(payerBoss, batchId, file)
  expect(errorsOf(await rowsOf(payerBoss, batchId))).toEqual([
    ['account_holder_name contact_not_approved'],
    [],
    ['payee_svc_id contact_not_approved'],
    [],
    [],
  ])
  const contacts = await owner`select payment_contact_id as id from payment_batch_rows
    where payment_batch_id = ${batchId} and status = 'valid' order by row_number`
  expect(contacts.map((row) => row['id'])).toEqual([...known, known[1]])
})

test('the same payee and amount twice in a file, or paid within 30 days, is a warning, however the payee is named', async () => {
  const contactId = await contact(boss, payer.id, payee.svcId)
  await approve(boss, await createPayment(boss, contactId, '7.00'))
  const bankContact = await contactAt([{ ...BANK, iban: 'DE75512108001245126199' }])
  const batchId = await newBatch(boss, payer.id)
  const file = fileOf(
    toHandle(payee.svcId, '7'),
    toContact(bankContact, 'EUR'),
    toHandle(payee.svcId, '8'),
    toAccount('DE75 5121 0800 1245 1261 99', '1.0'),
    `,${contactId},,,7.00,USD,${TERMS}`,
    toAccount('DE75512108001245126199', '2.00'),
  )
  await imported(boss, batchId, file)
  const rows = await rowsOf(boss, batchId)
  expect(rows.map(({ status }) => status)).toEqual(Array(6).fill('valid'))
  type Warning = { code: string; message: string }
  const codes = rows.map(({ warnings }) =>
    warnings
      .filter(({ code }: Warning) => code !== 'address_missing')
      .map(({ code, message }: Warning) => `${code} ${/\d+/.exec(message)?.[0]}`),
  )
  expect(codes).toEqual([
    ['duplicate_recent 30', 'duplicate_in_file 5'],
    ['duplicate_in_file 4'],
    [],
    ['duplicate_in_file 2'],
    ['duplicate_recent 30', 'duplicate_in_file 1'],
    [],
  ])
})

test('whatever stands in cells is kept, and is paid nowhere by itself', async () => {
  const right = ['\\N', '\\.', 'a\\tb', '\u{1F4B8}', "'; drop table x", '{}', '\\x00', '=1+1']
  const wrong = [
    ['\t', 'required'],
    ['\uFEFF', 'required'],
    ['a\u0007b', 'malformed'],
    ['a\u202eb', 'malformed'],
    ['nul\0', 'malformed'],
    ['é'.repeat(4000), 'too_long'],
  ] as const
  const cells = (text: string) =>
    [payee.svcId, '', '', '', '1.00', 'USD', text, 'x'].map((cell) => `"${cell}"`).join(',')
  const all = [...right, ...wrong.map(([text]) => text)]
  const batchId = await newBatch(boss, payer.id)
  await imported(boss, batchId, fileOf(...all.map(cells)))
  const rows = await rowsOf(boss, batchId)
  expect(rows.map((row) => row.cells.payout_reason)).toEqual(all)
  expect(errorsOf(rows)).toEqual([...right.map(() => []), ...wrong.map(([, code]) => [`payout_reason ${code}`])])
  const texts = await owner`
    select payout_reason from payment_batch_rows where payment_batch_id = ${batchId} and status = 'valid'
    order by row_number`
  expect(texts.map((row) => row['payout_reason'])).toEqual(right)
})
